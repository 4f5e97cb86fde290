package dev.berth.cli;

import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine.Command;

/** Run once by the build to fill the AOT cache: does what commands do at their start, and ends. */
@Command(name = "train", hidden = true, description = "Exercise start-up for the AOT cache.")
final class Train implements Runnable {
    @Override
    public void run() {
        var nowhere = new PrintWriter(Writer.nullWriter());
        Berth.execute(nowhere, nowhere, "--help");
        Berth.execute(nowhere, nowhere, "--version");
        Berth.execute(nowhere, nowhere, "upp");
    }
}
