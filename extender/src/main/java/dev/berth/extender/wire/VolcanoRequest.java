package dev.berth.extender.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.NodeName;
import java.io.IOException;

/** Volcano's question: does this task fit on this node. Of all that it sends along, the pod and the name matter. */
public record VolcanoRequest(GpuPod pod, String node) {
    /** @throws MalformedRequestException with what is wrong */
    public static VolcanoRequest read(byte[] body) {
        return FilterReader.parse(body, parser -> {
            JsonNode pod = FilterReader.JSON.missingNode();
            var node = "";
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var field = FilterReader.lower(parser.currentName());
                var value = parser.nextToken();
                if (value == JsonToken.START_OBJECT && field.equals("task")) {
                    pod = pod(parser);
                } else if (value == JsonToken.START_OBJECT && field.equals("node")) {
                    node = name(parser);
                } else {
                    parser.skipChildren();
                }
            }
            if (pod.isMissingNode() || pod.isNull()) {
                throw new MalformedRequestException("the task has no Pod");
            }
            try {
                return new VolcanoRequest(PodReader.read(pod), new NodeName(node).value());
            } catch (IllegalArgumentException nameless) {
                throw new MalformedRequestException("the node has no name");
            }
        });
    }

    private static JsonNode pod(JsonParser parser) throws IOException {
        JsonNode pod = FilterReader.JSON.missingNode();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = FilterReader.lower(parser.currentName()).equals("pod");
            parser.nextToken();
            if (wanted) {
                pod = FilterReader.JSON.readTree(parser);
            } else {
                parser.skipChildren();
            }
        }
        return pod;
    }

    private static String name(JsonParser parser) throws IOException {
        var name = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = FilterReader.lower(parser.currentName()).equals("name");
            var value = parser.nextToken();
            if (wanted && value == JsonToken.VALUE_STRING) {
                name = parser.getText();
            } else {
                parser.skipChildren();
            }
        }
        return name;
    }
}
