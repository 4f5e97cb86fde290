package dev.berth.cli;

import dev.berth.simulator.Comparison;
import dev.berth.simulator.Outcome;
import java.io.PrintWriter;

/** What moving pods did in each run. */
final class MovesTable {
    private MovesTable() {}

    static void print(Comparison comparison, PrintWriter out) {
        out.println("what moves gained; no moves can give out more than AT MOST");
        out.println();
        var table = new TextTable("POLICY", "SEED", "BEFORE", "AFTER", "MOVES", "PODS", "AT MOST");
        comparison
                .outcomes()
                .forEach((policy, runs) -> runs.forEach(run -> run.moved().ifPresent(moved -> row(table, run, moved))));
        table.print(out);
        out.println();
    }

    private static void row(TextTable table, Outcome run, Outcome.Moved moved) {
        table.row(
                run.policy(),
                Long.toString(run.seed()),
                percent(moved.before()),
                percent(run.allocated()),
                Integer.toString(moved.moves()),
                Integer.toString(moved.pods()),
                percent(moved.atMost()));
    }

    private static String percent(double part) {
        return "%.2f %%".formatted(100 * part);
    }
}
