package dev.berth.assigner.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;

/** A line of the table, as contract 1.5 words it. The page's script says the same in its {@code view}. */
record DeviceRow(String device, List<String> labels, String node, String assignment, String status) {
    private static final String PREFIX = "fudo.org/";

    static DeviceRow of(String device, JsonNode entry) {
        var labels = StreamSupport.stream(entry.path("labels").spliterator(), false)
                .map(JsonNode::asText)
                .map(label -> label.startsWith(PREFIX) ? label.substring(PREFIX.length()) : label)
                .sorted()
                .toList();
        var assignment = entry.path("assignment");
        return new DeviceRow(
                device,
                labels,
                entry.path("node").asText("-"),
                assignment.isObject() ? holder(assignment) : "-",
                status(assignment));
    }

    /** A reservation that is not a pod yet has neither name nor uid: {@code default/}. */
    private static String holder(JsonNode assignment) {
        return assignment.path("namespace").asText("") + "/"
                + assignment.path("name").asText(assignment.path("uid").asText(""));
    }

    private static String status(JsonNode assignment) {
        if (!assignment.isObject()) return "available";
        if (assignment.path("state").asText().equals("proposal")) return "pending";
        return assignment.path("exists?").asBoolean() ? "assigned" : "expired";
    }
}
