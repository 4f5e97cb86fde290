package dev.berth.kube.cache;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.courier.Courier;
import dev.berth.kube.courier.Flow;
import dev.berth.kube.proto.Kind;
import dev.berth.kube.proto.Protobuf;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * The ways in which we can hear of a kind. The server chooses, and may choose anew with every answer: one page comes
 * from a server that is being replaced, the next from the one that replaces it.
 *
 * @param <T> the kind
 */
final class Encodings<T extends HasMetadata> {
    private final ObjectMapper json;
    private final Class<T> type;
    private final Optional<ProtobufEncoding<T>> protobuf;

    Encodings(ObjectMapper json, Class<T> type) {
        this.json = json;
        this.type = type;
        this.protobuf = Kind.of(type).map(ProtobufEncoding::new);
    }

    /** What to ask for, the best first. */
    String accept() {
        return protobuf.isPresent() ? Protobuf.MEDIA_TYPE + ", " + Courier.JSON : Courier.JSON;
    }

    /** The one of this answer; what reads JSON is large, and made only where a server speaks it. */
    Encoding<T> of(Flow answer) {
        return protobuf.filter(_ -> Protobuf.is(answer.contentType()))
                .<Encoding<T>>map(way -> way)
                .orElseGet(() -> new JsonEncoding<>(json, type));
    }
}
