package dev.berth.extender;

import dev.berth.core.share.SharePolicies;
import dev.berth.core.share.Workload;
import dev.berth.extender.quota.QuotaSettings;
import dev.berth.extender.wire.VolcanoReply;
import java.time.Duration;

/**
 * How the extender works.
 *
 * @param policy which of several good nodes and devices is taken
 * @param assumeTtl how long a decision is held that does not lead to a binding
 * @param volcano in which shape Volcano wants its answers
 */
public record ExtenderSettings(String policy, Duration assumeTtl, QuotaSettings quota, VolcanoReply volcano) {
    public static final ExtenderSettings DEFAULT =
            new ExtenderSettings("pack", Duration.ofSeconds(30), QuotaSettings.STANDARD, VolcanoReply.V1_10);

    public ExtenderSettings {
        var _ = SharePolicies.named(policy, () -> Workload.UNKNOWN);
        if (assumeTtl.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a decision is held for a second at least, not for " + assumeTtl);
        }
    }

    public ExtenderSettings withPolicy(String other) {
        return new ExtenderSettings(other, assumeTtl, quota, volcano);
    }

    public ExtenderSettings withVolcano(VolcanoReply other) {
        return new ExtenderSettings(policy, assumeTtl, quota, other);
    }
}
