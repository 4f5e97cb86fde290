package dev.berth.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserSequence;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import dev.berth.kube.ledger.NodeLedger;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads an event of a watch in one pass. fabric8 reads it into a tree, the tree into an object of no kind, and that
 * into the kind at last, which in a busy cluster is a fifth of a door's time.
 */
final class WatchEventReader extends StdDeserializer<WatchEvent> {
    private static final long serialVersionUID = 1;
    private static final Map<String, Class<?>> KINDS = kinds();

    WatchEventReader() {
        super(WatchEvent.class);
    }

    private static Map<String, Class<?>> kinds() {
        var kinds = new HashMap<String, Class<?>>(Map.of("v1/Status", Status.class));
        List<Class<? extends HasMetadata>> watched = List.of(
                Pod.class,
                Node.class,
                Namespace.class,
                ConfigMap.class,
                Lease.class,
                PriorityClass.class,
                NodeLedger.class);
        for (var kind : watched) {
            kinds.put(HasMetadata.getApiVersion(kind) + "/" + HasMetadata.getKind(kind), kind);
        }
        return Map.copyOf(kinds);
    }

    @Override
    public WatchEvent deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        var event = new WatchEvent();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            var name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "type" -> event.setType(parser.getText());
                case "object" -> event.setObject(object(parser, context));
                default -> parser.skipChildren();
            }
        }
        return event;
    }

    /** Servers say the kind first, so that little must be kept until it is known. */
    private static Object object(JsonParser parser, DeserializationContext context) throws IOException {
        try (var head = new TokenBuffer(parser, context)) {
            head.copyCurrentEvent(parser);
            String version = "";
            String kind = "";
            while ((version.isEmpty() || kind.isEmpty()) && parser.nextToken() == JsonToken.FIELD_NAME) {
                var name = parser.currentName();
                head.copyCurrentEvent(parser);
                var value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING && name.equals("apiVersion")) {
                    version = parser.getText();
                } else if (value == JsonToken.VALUE_STRING && name.equals("kind")) {
                    kind = parser.getText();
                }
                head.copyCurrentStructure(parser);
            }
            boolean whole = parser.currentToken() == JsonToken.END_OBJECT && (version.isEmpty() || kind.isEmpty());
            if (whole) {
                head.writeEndObject();
            }
            var type = KINDS.getOrDefault(version + "/" + kind, GenericKubernetesResource.class);
            var rest = whole
                    ? head.asParserOnFirstToken()
                    : JsonParserSequence.createFlattened(false, head.asParser(parser), parser);
            if (!whole) {
                rest.nextToken();
            }
            return context.readValue(rest, type);
        }
    }
}
