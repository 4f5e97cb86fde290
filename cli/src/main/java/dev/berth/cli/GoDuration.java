package dev.berth.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Times as Go programs take them: {@code 30s}, {@code 1m30s}, {@code 1500ms}. */
final class GoDuration {
    private static final Pattern PARTS = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)");
    private static final Pattern ALL = Pattern.compile("(?:" + PARTS.pattern() + ")+");

    private GoDuration() {}

    /** @throws ParameterException for what is no such time, naming the flag */
    static Duration parse(@Nullable CommandSpec command, String flag, String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (text.length() > 40 || !ALL.matcher(text).matches()) {
            var problem = "%s takes a time such as 30s or 1m30s, not '%s'".formatted(flag, text);
            throw command == null
                    ? new IllegalArgumentException(problem)
                    : new ParameterException(command.commandLine(), problem);
        }
        double nanos = 0;
        var parts = PARTS.matcher(text);
        while (parts.find()) {
            nanos += Double.parseDouble(parts.group(1)) * unit(parts.group(2));
        }
        return Duration.ofNanos((long) nanos);
    }

    private static double unit(String name) {
        return switch (name) {
            case "ns" -> 1;
            case "us", "µs" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            default -> 3600e9;
        };
    }
}
