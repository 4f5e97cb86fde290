package dev.berth.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.explain.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/** How much of each GPU model is held and how much is fragmented, over the last hour. */
final class Trends {
    static final Duration EVERY = Duration.ofSeconds(5);
    private static final int MOST = 720;

    /**
     * One model at one moment.
     *
     * @param allocated which part of all its devices is held
     * @param fragmented which part of what is free lies on devices that are held in part, so that nobody can have them
     *     whole
     */
    record Share(int devices, double allocated, double fragmented) {}

    private record Sample(Instant at, int waiting, Map<String, Share> models) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    static Map<String, Share> shares(Collection<NodeReport> nodes) {
        Map<String, double[]> sums = new TreeMap<>();
        for (var node : nodes) {
            var byNumber = node.byNumber();
            for (var cell : node.cells()) {
                var sum = sums.computeIfAbsent(cell.model(), _ -> new double[3]);
                double held = byNumber.contains(cell) ? 1 : cell.held();
                sum[0]++;
                sum[1] += held;
                sum[2] += held > 0 ? 1 - held : 0;
            }
        }
        Map<String, Share> shares = new TreeMap<>();
        sums.forEach((model, sum) -> {
            double free = sum[0] - sum[1];
            shares.put(model, new Share((int) sum[0], sum[1] / sum[0], free <= 0 ? 0 : sum[2] / free));
        });
        return shares;
    }

    /** Takes a sample if the last one is old enough. */
    synchronized void saw(Instant now, int waiting, Map<String, Share> models) {
        var last = samples.peekLast();
        if (last != null && now.isBefore(last.at().plus(EVERY))) {
            return;
        }
        samples.addLast(new Sample(now, waiting, models));
        if (samples.size() > MOST) {
            samples.removeFirst();
        }
    }

    synchronized ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        var list = json.putArray("samples");
        for (var sample : samples) {
            var each = list.addObject().put("at", sample.at().toString()).put("waiting", sample.waiting());
            var models = each.putObject("models");
            sample.models()
                    .forEach((model, share) -> models.putObject(model)
                            .put("allocated", rounded(share.allocated()))
                            .put("fragmented", rounded(share.fragmented())));
        }
        return json;
    }

    static double rounded(double ratio) {
        return Math.round(ratio * 1000) / 1000.0;
    }
}
