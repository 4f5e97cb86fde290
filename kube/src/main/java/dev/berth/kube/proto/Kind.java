package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A kind that can be read from protobuf.
 *
 * @param <T> the kind
 */
public final class Kind<T extends HasMetadata> {
    private static final List<Kind<?>> ALL = List.of(
            new Kind<>(Pod.class, Pod::new, PodMessages::pod),
            new Kind<>(Node.class, Node::new, NodeMessages::node),
            new Kind<>(Lease.class, Lease::new, LeaseMessages::lease));

    private final Class<T> type;
    private final Supplier<T> blank;
    private final Message<T> message;

    private Kind(Class<T> type, Supplier<T> blank, Message<T> message) {
        this.type = type;
        this.blank = blank;
        this.message = message;
    }

    /** Empty for one that is only read from JSON, as all that a cluster's users have defined must be. */
    @SuppressWarnings("unchecked")
    public static <T extends HasMetadata> Optional<Kind<T>> of(Class<T> type) {
        return ALL.stream()
                .filter(kind -> kind.type == type)
                .map(kind -> (Kind<T>) kind)
                .findFirst();
    }

    /** Hands over every object of a list as soon as it is read; what the list says of itself. */
    public ListMeta list(InputStream in, Consumer<T> each) throws IOException {
        return new ListStream(new Texts(), in).read(item -> each.accept(whole(item.all(blank.get(), message))));
    }

    /** What an event is about; of a bookmark there is nothing but the version. */
    public T object(WatchMessage event) throws MalformedMessageException {
        var object = whole(Envelope.open(event.object(), blank.get(), message));
        if (object.getMetadata().getResourceVersion() == null) {
            throw new MalformedMessageException("a %s without a version".formatted(type.getSimpleName()));
        }
        return object;
    }

    private T whole(T object) throws MalformedMessageException {
        if (object.getMetadata() == null) {
            throw new MalformedMessageException("a %s without metadata".formatted(type.getSimpleName()));
        }
        return object;
    }
}
