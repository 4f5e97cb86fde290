package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One of the ways in which an API server says what it has of a kind.
 *
 * @param <T> the kind
 */
sealed interface Encoding<T extends HasMetadata> permits JsonEncoding, ProtobufEncoding {
    /** Hands over every object of a page as soon as it is read, and reads the page to its end. */
    PageEnd page(InputStream in, Consumer<T> each) throws IOException;

    Events<T> events(InputStream in);

    /** A watch. */
    interface Events<T> {
        /** Waits for the next event; false when there will be none. */
        boolean next() throws IOException;

        /** The one that has come; empty for a type that is not known. */
        Optional<Event<T>> event() throws IOException;
    }
}
