package dev.berth.kube.cache;

import dev.berth.kube.proto.Frames;
import dev.berth.kube.proto.Kind;
import dev.berth.kube.proto.WatchMessage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/** What kube-apiserver offers for its own kinds: it costs both sides a fraction of what JSON does. */
record ProtobufEncoding<T extends HasMetadata>(Kind<T> kind) implements Encoding<T> {
    @Override
    public PageEnd page(InputStream in, Consumer<T> each) throws IOException {
        var metadata = kind.list(in, each);
        return new PageEnd(
                Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
                Optional.ofNullable(metadata.getContinue()));
    }

    @Override
    public Events<T> events(InputStream in) {
        var frames = new Frames(in);
        return new Events<>() {
            @Override
            public boolean next() throws IOException {
                return frames.next();
            }

            @Override
            public Optional<Event<T>> event() throws IOException {
                return ProtobufEncoding.this.event(frames.message());
            }
        };
    }

    private Optional<Event<T>> event(WatchMessage message) throws IOException {
        return switch (message.type()) {
            case "ADDED", "MODIFIED" -> Optional.of(new Event.There<>(kind.object(message)));
            case "DELETED" -> Optional.of(new Event.Gone<>(kind.object(message)));
            case "BOOKMARK" -> Optional.of(new Event.Bookmark<>(Version.of(kind.object(message))));
            case "ERROR" -> Optional.of(new Event.Failed<>(message.status()));
            default -> Optional.empty();
        };
    }
}
