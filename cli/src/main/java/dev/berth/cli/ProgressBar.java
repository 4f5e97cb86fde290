package dev.berth.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;

/** One line that shows how far a long command is; only where a person is looking. */
final class ProgressBar {
    private static final int WIDTH = 40;

    private final PrintWriter err;
    private final int all;
    private final boolean seen;

    ProgressBar(PrintWriter err, int all, boolean seen) {
        this.err = err;
        this.all = all;
        this.seen = seen;
    }

    static ProgressBar onTerminal(PrintWriter err, int all) {
        return new ProgressBar(
                err,
                all,
                Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent());
    }

    void show(int done) {
        if (seen) {
            int filled = WIDTH * done / Math.max(1, all);
            err.printf("\r[%s%s] %d of %d runs", "#".repeat(filled), " ".repeat(WIDTH - filled), done, all);
            err.flush();
        }
    }

    void clear() {
        if (seen) {
            err.print("\r" + " ".repeat(WIDTH + 30) + "\r");
            err.flush();
        }
    }
}
