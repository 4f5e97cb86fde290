package dev.berth.assigner.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Which GPUs a pod was given: what its annotations say. */
public record Assignment(String reservation, String node, List<String> uuids) {
    public Assignment {
        uuids = List.copyOf(uuids);
    }

    /** What the annotations of a pod in an admission review say, if they are ours. */
    public static Optional<Assignment> of(JsonNode pod) {
        var annotations = pod.path("metadata").path("annotations");
        return of(
                annotations.path(Keys.RESERVATION_ID).asText(""),
                annotations.path(Keys.NODE).asText(""),
                annotations.path(Keys.UUID).asText(""));
    }

    /** What the annotations of a pod in the cluster say, if they are ours. */
    public static Optional<Assignment> of(Pod pod) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        return of(
                        annotations.getOrDefault(Keys.RESERVATION_ID, ""),
                        annotations.getOrDefault(Keys.NODE, ""),
                        annotations.getOrDefault(Keys.UUID, ""))
                .map(assignment -> assignment.withCdi(annotations.getOrDefault(Keys.CDI_ASSIGNMENT, "")));
    }

    private static Optional<Assignment> of(String reservation, String node, String uuids) {
        return reservation.isBlank()
                ? Optional.empty()
                : Optional.of(new Assignment(reservation, node, entries(uuids).toList()));
    }

    /** Somebody may have rewritten one of the two lists of devices; a device in either is in use. */
    private Assignment withCdi(String assignment) {
        var named = entries(assignment).map(entry -> entry.substring(entry.lastIndexOf('=') + 1));
        return new Assignment(
                reservation,
                node,
                Stream.concat(uuids.stream(), named).distinct().toList());
    }

    private static Stream<String> entries(String list) {
        return Arrays.stream(list.split(",")).map(String::strip).filter(entry -> !entry.isEmpty());
    }

    public boolean uses(String uuid) {
        return uuids.contains(uuid);
    }
}
