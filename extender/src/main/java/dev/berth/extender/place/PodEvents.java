package dev.berth.extender.place;

import dev.berth.core.share.SharePlacement;
import dev.berth.extender.wire.FilterReply.Failed;
import dev.berth.extender.wire.GpuPod;
import dev.berth.kube.event.Events;
import dev.berth.kube.event.Happening;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tells on the pod what became of a question about it: the devices and by which policy, or for each node why not. */
final class PodEvents {
    private static final String ACTION = "Placing";
    /** More names would push the other reasons out of the note. */
    private static final int MOST_NAMES = 3;

    private final Events events;
    private final String policy;

    PodEvents(Events events, String policy) {
        this.events = events;
        this.policy = policy;
    }

    /** Returns at once. An error is the scheduler's to tell: nothing was decided. */
    void tell(GpuPod pod, Outcome outcome) {
        if (pod.uid().isEmpty()) {
            return;
        }
        switch (outcome) {
            case Outcome.Chosen(var node, var placement, var others) ->
                tell(pod, Happening.Type.NORMAL, "Placed", placed(pod, node.name(), placement, others.size() + 1));
            case Outcome.Refused(var nodes) ->
                tell(pod, Happening.Type.WARNING, "FailedScheduling", refused(pod, nodes));
            case Outcome.Undecided _ -> {}
        }
    }

    private void tell(GpuPod pod, Happening.Type type, String reason, String note) {
        events.tell(Happening.aboutPod(pod.namespace(), pod.name(), pod.uid(), type, reason, ACTION, note));
    }

    private String placed(GpuPod pod, String node, SharePlacement placement, int nodes) {
        var devices = new StringJoiner(", ");
        var found = placement.containers().iterator();
        for (var container : pod.containers()) {
            if (container.slice().cores() > 0 && found.hasNext()) {
                var numbers = found.next().stream().map(String::valueOf).collect(Collectors.joining(","));
                devices.add("GPU %s for container %s".formatted(numbers, container.name()));
            }
        }
        return "node %s: %s; the best of %d by the policy %s".formatted(node, devices, nodes, policy);
    }

    private static String refused(GpuPod pod, List<Failed> nodes) {
        var noMatch = Reasons.noMatch(pod);
        var byReason = new TreeMap<String, List<String>>(nodes.stream()
                .collect(Collectors.groupingBy(
                        failed -> failed.reason().equals(noMatch) ? Reasons.noRoom(pod) : failed.reason(),
                        Collectors.mapping(Failed::node, Collectors.toList()))));
        var words = new StringJoiner("; ", "none of %d nodes: ".formatted(nodes.size()), "");
        byReason.forEach((reason, names) -> words.add(names(names) + ": " + reason));
        return words.toString();
    }

    private static String names(List<String> nodes) {
        var first = nodes.stream().sorted().limit(MOST_NAMES).collect(Collectors.joining(", "));
        return nodes.size() <= MOST_NAMES ? first : "%s and %d more".formatted(first, nodes.size() - MOST_NAMES);
    }
}
