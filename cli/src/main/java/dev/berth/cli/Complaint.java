package dev.berth.cli;

import java.io.PrintWriter;
import java.util.List;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What a person reads when a command cannot be run: one sentence on what is wrong, one on what to do next. */
public final class Complaint {
    private Complaint() {}

    /** A wrong command line: exit 2. */
    static int ofUsage(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.println("berth: " + sentence(problem));
        List<String> suggestions = problem instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().distinct().limit(3).toList()
                : List.of();
        if (!suggestions.isEmpty()) err.println("Did you mean " + String.join(" or ", suggestions) + "?");
        err.println("Try '" + name + " --help'.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    /**
     * A command that failed while it ran: exit 1, or 2 where what it was given is wrong. The stack trace is for
     * {@code --log-level debug}.
     */
    static int ofFailure(Exception problem, CommandLine command, ParseResult parsed) {
        command.getErr().println("berth: " + messageOf(problem));
        command.getErr().flush();
        LoggerFactory.getLogger(Complaint.class).debug("failed", problem);
        return problem instanceof BadInput ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
    }

    private static String sentence(ParameterException problem) {
        if (problem instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String first = unmatched.getUnmatched().getFirst();
            return (first.startsWith("-") ? "unknown option '" : "unknown command or argument '") + first + "'";
        }
        return messageOf(problem);
    }

    private static String messageOf(Exception problem) {
        String message = problem.getMessage();
        return message == null ? problem.getClass().getSimpleName() : message;
    }

    /** Input that cannot be used; the message names what is wrong and where. */
    public static final class BadInput extends RuntimeException {
        public BadInput(String message) {
            super(message);
        }
    }
}
