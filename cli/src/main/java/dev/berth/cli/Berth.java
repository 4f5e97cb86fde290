package dev.berth.cli;

import dev.berth.cli.certificate.CertsCommand;
import dev.berth.cli.certificate.ProbeCommand;
import dev.berth.cli.defrag.DefragCommand;
import dev.berth.cli.explain.ConsoleCommand;
import dev.berth.cli.explain.ExplainCommand;
import dev.berth.cli.explain.WhyNotCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program: {@code berth COMMAND}. */
@Command(
        name = "berth",
        description = "GPU placement for Kubernetes: gives every GPU pod its berth.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth up                      try it: every door, on an API server with four GPU nodes",
            "  berth demo                    watch it: a day in four minutes",
            "  berth up --nodes 100 --gpus 4",
            "  berth apiserver --port 55441  the embedded API server alone",
            "  berth COMMAND --help          what a command takes"
        })
public final class Berth implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(
            Up.class,
            Demo.class,
            ApiServerCommand.class,
            Generate.class,
            AssignerCommand.class,
            ExtenderCommand.class,
            AdvisorCommand.class,
            Schedule.class,
            ClaimsCommand.class,
            PinnerCommand.class,
            ConsoleCommand.class,
            ExplainCommand.class,
            WhyNotCommand.class,
            SimulateCommand.class,
            DefragCommand.class,
            CertsCommand.class,
            ProbeCommand.class,
            CompletionCommand.class,
            Train.class,
            CommandLine.HelpCommand.class);
    /** These speak of all commands. */
    private static final Set<Class<?>> OF_ALL = Set.of(CompletionCommand.class, CommandLine.HelpCommand.class);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Berth() {}

    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        return execute(
                new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                arguments);
    }

    static int execute(PrintWriter out, PrintWriter err, String... arguments) {
        var named = arguments.length == 0 ? Optional.<Class<?>>empty() : named(arguments[0]);
        // What is not asked for is not looked at: a door's start would spend a third of a second on the others'
        // options.
        return named.map(command -> commandLine(out, err, List.of(command)))
                .orElseGet(() -> commandLine(out, err))
                .execute(arguments);
    }

    private static Optional<Class<?>> named(String name) {
        return COMMANDS.stream()
                .filter(command -> !OF_ALL.contains(command)
                        && command.getAnnotation(Command.class).name().equals(name))
                .findFirst();
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return commandLine(out, err, COMMANDS);
    }

    private static CommandLine commandLine(PrintWriter out, PrintWriter err, List<Class<?>> commands) {
        var root = new CommandLine(new Berth());
        commands.forEach(root::addSubcommand);
        return root.setOut(out)
                .setErr(err)
                .setUsageHelpAutoWidth(true)
                .setUsageHelpLongOptionsMaxWidth(32)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Complaint::ofUsage)
                .setExecutionExceptionHandler(Complaint::ofFailure);
    }

    @Option(
            names = "--log-level",
            scope = ScopeType.INHERIT,
            paramLabel = "LEVEL",
            defaultValue = "info",
            description = "error, warn, info, debug or trace (default: ${DEFAULT-VALUE}).")
    void logLevel(LogFormat.Level level) {
        LogFormat.show(level);
    }

    /** {@code berth} alone says what there is. */
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The shell completion of every command: {@code source <(berth completion)}. */
    @Command(
            name = "completion",
            description = "Print a completion script for bash and zsh.",
            mixinStandardHelpOptions = true,
            footerHeading = "%nExample:%n",
            footer = "  source <(berth completion)")
    static final class CompletionCommand implements Runnable {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public void run() {
            CommandLine root = spec.root().commandLine();
            root.getOut().print(AutoComplete.bash("berth", root));
            root.getOut().flush();
        }
    }
}
