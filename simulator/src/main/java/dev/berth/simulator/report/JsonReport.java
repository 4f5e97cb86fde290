package dev.berth.simulator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.simulator.Comparison;
import dev.berth.simulator.Outcome;
import dev.berth.simulator.Why;
import java.util.Locale;

/** The same for programs. */
final class JsonReport {
    private JsonReport() {}

    static String of(Comparison comparison) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("nodes", comparison.trace().machines().size());
        root.put("gpus", comparison.trace().cores() / 100);
        root.put("pods", comparison.trace().tasks().size());
        root.put("arrive", comparison.settings().arrive());
        var policies = root.putArray("policies");
        comparison.outcomes().forEach((policy, runs) -> {
            var each = policies.addObject();
            each.put("policy", policy);
            each.put("allocated", comparison.mean(policy, Outcome::allocated));
            var seeds = each.putArray("seeds");
            runs.forEach(run -> fill(seeds.addObject(), run));
        });
        return root.toPrettyString() + "\n";
    }

    private static void fill(ObjectNode seed, Outcome run) {
        seed.put("seed", run.seed());
        seed.put("allocated", run.allocated());
        seed.put("gpus", run.gpus());
        seed.put("placed", run.placed());
        seed.put("waiting", run.waiting());
        seed.put("fragmented", run.looks().getLast().fragmented());
        run.moved()
                .ifPresent(moved -> seed.putObject("moved")
                        .put("moves", moved.moves())
                        .put("pods", moved.pods())
                        .put("before", moved.before())
                        .put("atMost", moved.atMost()));
        var reasons = seed.putObject("reasons");
        for (var why : Why.values()) {
            reasons.put(why.name().toLowerCase(Locale.ROOT), run.reasons().getOrDefault(why, 0));
        }
    }
}
