package dev.berth.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The log flags of Kubernetes' Go programs, as far as a JVM has the notion, as a picocli mixin. */
final class KlogFlags {
    private static final int DEBUG_FROM = 4;
    private static final int TRACE_FROM = 8;
    private static final Pattern BACKTRACE = Pattern.compile("[^:]*:\\d+");

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = {"-v", "--v"},
            paramLabel = "LEVEL",
            description = "Number for the log level verbosity: 4 and more show debug, 8 and more trace.")
    private @Nullable Integer verbosity;

    @Option(
            names = "--vmodule",
            paramLabel = "PATTERN=N,...",
            split = ",",
            description = "Verbosity for single classes, by their simple names; * stands for anything.")
    private List<String> modules = new ArrayList<>();

    @Option(
            names = "--logtostderr",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            paramLabel = "BOOL",
            converter = GoBoolean.class,
            description = "Log to standard error instead of files (default: ${DEFAULT-VALUE}).")
    private boolean toStandardError;

    @Option(
            names = "--alsologtostderr",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "false",
            paramLabel = "BOOL",
            converter = GoBoolean.class,
            description = "Log to standard error as well as files.")
    private boolean alsoToStandardError;

    @Option(
            names = "--log-dir",
            paramLabel = "DIRECTORY",
            description = "If non-empty, write log files in this directory.")
    private String directory = "";

    @Option(
            names = "--log-backtrace-at",
            paramLabel = "FILE:N",
            defaultValue = ":0",
            description = "When logging hits line N of a file, emit a stack trace (default: ${DEFAULT-VALUE}).")
    private String backtraceAt = ":0";

    @Option(
            names = "--stderrthreshold",
            paramLabel = "SEVERITY",
            defaultValue = "2",
            description =
                    "Logs at or above this threshold go to standard error too: 0 info, 1 warning, 2 error, 3 fatal (default: ${DEFAULT-VALUE}).")
    private String threshold = "2";

    @Option(
            names = "--log-flush-frequency",
            paramLabel = "DURATION",
            defaultValue = "5s",
            description =
                    "Maximum time between log flushes; every line is flushed at once (default: ${DEFAULT-VALUE}).")
    private String flushFrequency = "5s";

    /** Makes the log what the flags say. */
    void apply() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        if (verbosity != null) {
            root.setLevel(level(verbosity));
        }
        GoDuration.parse(command, "--log-flush-frequency", flushFrequency);
        var chosen = modules();
        if (!chosen.isEmpty()) {
            context.addTurboFilter(new ByClass(chosen));
        }
        int console = threshold();
        if (!toStandardError && !directory.isEmpty()) {
            toFile(context, root);
            if (!alsoToStandardError) {
                limitConsole(root, console);
            }
        }
        if (!backtraceAt.isEmpty() && !BACKTRACE.matcher(backtraceAt).matches()) {
            throw wrong("--log-backtrace-at takes File.java:N, not '%s'".formatted(backtraceAt));
        }
        if (!backtraceAt.equals(":0") && !backtraceAt.isEmpty()) {
            root.iteratorForAppenders().forEachRemaining(appender -> appender.addFilter(new Backtrace(backtraceAt)));
        }
    }

    static Level level(int verbosity) {
        if (verbosity >= TRACE_FROM) {
            return Level.TRACE;
        }
        return verbosity >= DEBUG_FROM ? Level.DEBUG : Level.INFO;
    }

    private record Module(Pattern name, Level level) {}

    private List<Module> modules() {
        var chosen = new ArrayList<Module>();
        for (var module : modules) {
            int equals = module.lastIndexOf('=');
            try {
                if (equals <= 0) {
                    throw new NumberFormatException();
                }
                int verbose = Integer.parseInt(module.substring(equals + 1).strip());
                var name = Pattern.quote(module.substring(0, equals).strip())
                        .replace("*", "\\E.*\\Q")
                        .replace("?", "\\E.\\Q");
                chosen.add(new Module(Pattern.compile(name), level(verbose)));
            } catch (NumberFormatException malformed) {
                throw wrong("--vmodule takes pattern=N, not '%s'".formatted(module));
            }
        }
        return chosen;
    }

    private int threshold() {
        return switch (threshold.toUpperCase(Locale.ROOT)) {
            case "0", "INFO" -> Level.INFO_INT;
            case "1", "WARNING" -> Level.WARN_INT;
            case "2", "ERROR", "3", "FATAL" -> Level.ERROR_INT;
            default ->
                throw wrong(
                        "--stderrthreshold is 0 to 3 or info, warning, error, fatal, not '%s'".formatted(threshold));
        };
    }

    private void toFile(LoggerContext context, Logger root) {
        var folder = Path.of(directory);
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw wrong("--log-dir: %s is not a directory that can be written to".formatted(folder));
        }
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(LogFormat.PATTERN);
        encoder.start();
        var file = new FileAppender<ILoggingEvent>();
        file.setContext(context);
        file.setFile(folder.resolve("gpu-admission.log").toString());
        file.setEncoder(encoder);
        file.start();
        root.addAppender(file);
    }

    private static void limitConsole(Logger root, int level) {
        root.iteratorForAppenders().forEachRemaining(appender -> {
            if (!(appender instanceof FileAppender<ILoggingEvent>)) {
                var filter = new ThresholdFilter();
                filter.setLevel(Level.toLevel(level).toString());
                filter.start();
                appender.addFilter(filter);
            }
        });
    }

    private RuntimeException wrong(String message) {
        return command == null
                ? new IllegalArgumentException(message)
                : new ParameterException(command.commandLine(), message);
    }

    /** Go's words for yes and no. */
    static final class GoBoolean implements ITypeConverter<Boolean> {
        private static final Set<String> YES = Set.of("1", "t", "T", "TRUE", "true", "True");
        private static final Set<String> NO = Set.of("0", "f", "F", "FALSE", "false", "False");

        @Override
        public Boolean convert(String value) {
            if (!YES.contains(value) && !NO.contains(value)) {
                throw new TypeConversionException("'%s' is neither true nor false".formatted(value));
            }
            return YES.contains(value);
        }
    }

    /** Decides by the class that logs, before its logger's own level is asked. */
    private static final class ByClass extends TurboFilter {
        private final List<Module> modules;

        ByClass(List<Module> modules) {
            this.modules = List.copyOf(modules);
            start();
        }

        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] parameters,
                @Nullable Throwable problem) {
            var name = logger.getName().substring(logger.getName().lastIndexOf('.') + 1);
            for (var module : modules) {
                if (module.name().matcher(name).matches()) {
                    return level.isGreaterOrEqual(module.level()) ? FilterReply.ACCEPT : FilterReply.DENY;
                }
            }
            return FilterReply.NEUTRAL;
        }
    }

    /** Shows how the program came to one line of one file. */
    private static final class Backtrace extends Filter<ILoggingEvent> {
        private final String place;

        Backtrace(String place) {
            this.place = place;
            start();
        }

        @Override
        public FilterReply decide(ILoggingEvent event) {
            var frames = event.getCallerData();
            if (frames.length > 0 && place.equals(frames[0].getFileName() + ":" + frames[0].getLineNumber())) {
                for (var frame : frames) {
                    System.err.println("\tat " + frame);
                }
            }
            return FilterReply.NEUTRAL;
        }
    }
}
