package dev.berth.cli;

import dev.berth.core.policy.Policy;
import dev.berth.core.share.SharePolicies;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** What {@code --policy} takes, whichever command it is given to: the name of any policy there is. */
final class PolicyName implements ITypeConverter<Policy> {
    @Override
    public Policy convert(String name) {
        try {
            return SharePolicies.forDevices(name);
        } catch (IllegalArgumentException unknown) {
            throw new TypeConversionException(String.valueOf(unknown.getMessage()));
        }
    }
}
