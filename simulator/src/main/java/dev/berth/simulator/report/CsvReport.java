package dev.berth.simulator.report;

import dev.berth.simulator.Comparison;
import dev.berth.simulator.Outcome;
import dev.berth.simulator.Why;
import java.util.Locale;
import java.util.StringJoiner;

/** Tables for a spreadsheet: a row a run, and a row a look. */
final class CsvReport {
    private CsvReport() {}

    static String runs(Comparison comparison) {
        var headings = new StringJoiner(",", "", "\n").add("policy,seed,allocated,gpus,placed,waiting,fragmented");
        for (var why : Why.values()) {
            headings.add("waiting_" + why.name().toLowerCase(Locale.ROOT));
        }
        var text = new StringBuilder(headings.toString());
        comparison.outcomes().values().forEach(runs -> runs.forEach(run -> text.append(row(run))));
        return text.toString();
    }

    private static String row(Outcome run) {
        var row = new StringJoiner(",", "", "\n")
                .add(run.policy())
                .add(Long.toString(run.seed()))
                .add(figure(run.allocated()))
                .add("%.2f".formatted(run.gpus()))
                .add(Integer.toString(run.placed()))
                .add(Integer.toString(run.waiting()))
                .add(figure(run.looks().getLast().fragmented()));
        for (var why : Why.values()) {
            row.add(Integer.toString(run.reasons().getOrDefault(why, 0)));
        }
        return row.toString();
    }

    static String looks(Comparison comparison) {
        var text = new StringBuilder("policy,seed,asked,allocated,fragmented,waiting\n");
        for (var runs : comparison.outcomes().values()) {
            for (var run : runs) {
                for (var look : run.looks()) {
                    text.append(String.join(
                                    ",",
                                    run.policy(),
                                    Long.toString(run.seed()),
                                    figure(look.asked()),
                                    figure(look.allocated()),
                                    figure(look.fragmented()),
                                    Integer.toString(look.waiting())))
                            .append('\n');
                }
            }
        }
        return text.toString();
    }

    private static String figure(double part) {
        return String.format(Locale.ROOT, "%.6f", part);
    }
}
