package dev.berth.cli;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Flags the way Go programs take them: {@code _} and {@code -} are the same in names, the last of several counts, and
 * the container's {@code LOG_LEVEL} and {@code EXTRA_FLAGS} are flags too.
 */
final class GoFlags implements IParameterPreprocessor {
    @Override
    @SuppressWarnings("JdkObsolete") // picocli's own signature
    public boolean preprocess(
            Stack<String> arguments, CommandSpec command, ArgSpec argument, Map<String, Object> information) {
        var given = new ArrayList<>(arguments);
        Collections.reverse(given);
        var all = all(given, System.getenv());
        arguments.clear();
        all.reversed().forEach(arguments::push);
        command.commandLine().setOverwrittenOptionsAllowed(true);
        return false;
    }

    static List<String> all(List<String> given, Map<String, String> environment) {
        var all = new ArrayList<String>();
        var level = environment.getOrDefault("LOG_LEVEL", "").strip();
        if (!level.isEmpty()) {
            all.add("--v=" + level);
        }
        all.addAll(given);
        var extra = environment.getOrDefault("EXTRA_FLAGS", "").strip();
        if (!extra.isEmpty()) {
            all.addAll(List.of(extra.split("\\s+")));
        }
        return all.stream().map(GoFlags::dashed).toList();
    }

    private static String dashed(String argument) {
        if (!argument.startsWith("--")) {
            return argument;
        }
        int equals = argument.indexOf('=');
        var name = equals < 0 ? argument : argument.substring(0, equals);
        return name.replace('_', '-') + (equals < 0 ? "" : argument.substring(equals));
    }
}
