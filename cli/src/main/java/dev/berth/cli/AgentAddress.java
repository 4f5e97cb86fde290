package dev.berth.cli;

import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the advisor's agent is, for those who call it: a picocli mixin. */
final class AgentAddress {
    private static final String STANDARD = "http://scheduler-agent:8080";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--scheduler-url",
            paramLabel = "URL",
            defaultValue = "${env:SCHEDULER_URL:-" + STANDARD + "}",
            description = "The agent. Default: $$SCHEDULER_URL, else " + STANDARD + ".")
    private URI address = URI.create(STANDARD);

    URI address() {
        return address;
    }

    /** Opens the way there; what makes no sense as an address is said as the flag's fault. */
    <T> T open(Function<URI, T> way) {
        try {
            return way.apply(address);
        } catch (IllegalArgumentException wrong) {
            if (command == null) {
                throw wrong;
            }
            throw new ParameterException(
                    command.commandLine(), "--scheduler-url (SCHEDULER_URL): " + wrong.getMessage(), wrong);
        }
    }
}
