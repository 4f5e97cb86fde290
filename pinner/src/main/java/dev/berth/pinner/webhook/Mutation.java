package dev.berth.pinner.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.pinner.map.GpuMap;
import dev.berth.pinner.map.Keys;
import dev.berth.pinner.map.LineProblem;
import dev.berth.pinner.map.Maps;
import dev.berth.pinner.map.Ordinal;
import dev.berth.web.admission.AdmissionReply;
import dev.berth.web.admission.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The way of a pod through the webhook, from top to bottom. */
final class Mutation {
    private static final int BAD_REQUEST = 400;
    /** kubectl shows warnings one a line, and the API server keeps 4 KiB of them. */
    private static final int MOST_WARNINGS = 10;

    private final WebhookSettings settings;
    private final Maps maps = new Maps();

    Mutation(WebhookSettings settings) {
        this.settings = settings;
    }

    AdmissionReply answer(AdmissionRequest request) {
        return request.object().map(this::answer).orElseGet(AdmissionReply::allow);
    }

    private AdmissionReply answer(ObjectNode pod) {
        if (!pod.path("spec").path("schedulerName").asText().equals(settings.schedulerName())) {
            return AdmissionReply.allow();
        }
        var text = pod.path("metadata").path("annotations").path(Keys.MAP).asText("");
        if (text.isBlank()) {
            return AdmissionReply.allow()
                    .withWarnings(List.of("the pod names the scheduler %s and has no annotation %s: it will wait"
                            .formatted(settings.schedulerName(), Keys.MAP)));
        }
        var map = maps.of(text);
        if (settings.strict() && !map.problems().isEmpty()) {
            return AdmissionReply.deny(BAD_REQUEST, told(map.problems()).collect(Collectors.joining("; ")));
        }
        var warnings = new ArrayList<>(told(Stream.concat(map.problems().stream(), map.remarks().stream())
                        .toList())
                .toList());
        return mutate(pod, map, warnings).withWarnings(warnings);
    }

    private AdmissionReply mutate(ObjectNode pod, GpuMap map, List<String> warnings) {
        var ordinal = Ordinal.of(pod);
        if (ordinal.isEmpty()) {
            warnings.add("the pod is no replica that %s could name: its name does not end in -<number>, or is made up"
                    .formatted(Keys.MAP));
            return AdmissionReply.allow();
        }
        var entry = map.of(ordinal.getAsLong());
        if (entry.isEmpty()) {
            warnings.add("%s has no line for replica %d: it will wait".formatted(Keys.MAP, ordinal.getAsLong()));
            return AdmissionReply.allow();
        }
        return AdmissionReply.patch(VisibleDevices.patch(pod, entry.get().devices(), settings.respectExisting()));
    }

    private static Stream<String> told(List<LineProblem> problems) {
        var all = problems.stream().limit(MOST_WARNINGS).map(each -> Keys.MAP + ": " + each.words());
        int more = problems.size() - MOST_WARNINGS;
        return more > 0 ? Stream.concat(all, Stream.of("%s: and %d more lines".formatted(Keys.MAP, more))) : all;
    }
}
