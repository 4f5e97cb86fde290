package dev.berth.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.explain.Answer;
import dev.berth.core.explain.Grouped;
import dev.berth.kube.explain.Explainer;
import dev.berth.kube.explain.Picture;
import dev.berth.kube.explain.PodReport;
import dev.berth.kube.explain.ReportJson;
import dev.berth.kube.schedule.PodFilter;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The pods that wait, with what each door says to them. Asking costs time where many wait on many nodes, so that each
 * round asks only for a while, those first whose answers are oldest.
 */
final class Waiting {
    private static final Duration ROUND = Duration.ofMillis(400);
    private static final int MOST_SHOWN = 500;

    private record Told(ObjectNode row, List<Figures.Key> reasons, long asked) {}

    private final Explainer explainer;
    private final Map<String, Told> told = new HashMap<>();

    Waiting(Explainer explainer) {
        this.explainer = explainer;
    }

    /** Puts a row for each into these; says how many there are. */
    int fill(List<Pod> pods, Picture picture, SortedMap<String, ObjectNode> rows) {
        var all = pods.stream()
                .filter(PodFilter::wantsANode)
                .filter(explainer::concerns)
                .toList();
        var shown = all.stream()
                .sorted(Comparator.comparing(Waiting::created).thenComparing(Waiting::key))
                .limit(MOST_SHOWN)
                .toList();
        told.keySet().retainAll(shown.stream().map(Waiting::key).collect(Collectors.toSet()));
        long deadline = System.nanoTime() + ROUND.toNanos();
        shown.stream()
                .sorted(Comparator.comparingLong(pod -> age(key(pod))))
                .takeWhile(_ -> System.nanoTime() < deadline)
                .forEach(pod -> told.put(key(pod), ask(pod, picture)));
        told.forEach((key, each) -> rows.put("waiting/" + key, each.row()));
        return all.size();
    }

    /** What the doors said to those that were asked, and to how many. */
    Map<Figures.Key, Integer> reasons() {
        Map<Figures.Key, Integer> reasons = new TreeMap<>();
        told.values().forEach(each -> each.reasons().forEach(reason -> reasons.merge(reason, 1, Integer::sum)));
        return reasons;
    }

    private long age(String key) {
        var known = told.get(key);
        return known == null ? Long.MIN_VALUE : known.asked();
    }

    private static String key(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static String created(Pod pod) {
        return String.valueOf(pod.getMetadata().getCreationTimestamp());
    }

    private Told ask(Pod pod, Picture picture) {
        var report = explainer.pod(pod, picture);
        var reasons = report.opinions().stream()
                .map(opinion -> new Figures.Key(opinion.door().label(), reason(opinion.answer())))
                .toList();
        return new Told(row(report), reasons, System.nanoTime());
    }

    private static String reason(Answer answer) {
        return switch (answer) {
            case Answer.Fits _ -> "fits";
            case Answer.Unusable _ -> "unusable";
            case Answer.Waits(var objections) ->
                Grouped.nearest(objections)
                        .map(objections::get)
                        .map(objection -> objection.kind().label())
                        .orElse("no_node");
        };
    }

    /** Without what is said of each single node: the pod's own page tells that. */
    private static ObjectNode row(PodReport report) {
        var row = ReportJson.of(report);
        row.path("doors")
                .forEach(door -> door.path("reasons").forEach(reason -> ((ObjectNode) reason).remove("nodes")));
        return row;
    }
}
