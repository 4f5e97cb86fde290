package dev.berth.apiserver.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server's verbs for its own controllers and nodes: the same path as a request from outside (admission, rules,
 * managed fields, store), without HTTP. Failures are {@link dev.berth.apiserver.status.ApiException}s. Objects that
 * come back are the caller's own to change. Cluster-scoped objects have the empty namespace.
 */
public interface Api {
    /** Names a resource by the address that a client would use. */
    record Resource(String group, String version, String plural) {}

    ObjectNode create(Resource resource, String namespace, ObjectNode object);

    Optional<ObjectNode> get(Resource resource, String namespace, String name);

    /** All objects, or those of one namespace when it is not empty, whose labels include all the given ones. */
    List<ObjectNode> list(Resource resource, String namespace, Map<String, String> labels);

    /** Under the object's own resourceVersion, if it carries one. */
    ObjectNode update(Resource resource, ObjectNode object);

    ObjectNode updateStatus(Resource resource, ObjectNode object);

    /** Writes {@code spec.finalizers} of a namespace, as its {@code finalize} subresource does. */
    ObjectNode finalizeNamespace(ObjectNode namespace);

    void delete(Resource resource, String namespace, String name, Deletion how);

    /**
     * How to delete.
     *
     * @param uid the precondition; empty for none
     * @param gracePeriodSeconds negative for the kind's own
     * @param propagationPolicy {@code Background}, {@code Foreground}, {@code Orphan}; empty for the kind's own
     */
    record Deletion(String uid, long gracePeriodSeconds, String propagationPolicy) {
        /** As if the client sent no options. */
        public static final Deletion PLAIN = new Deletion("", -1, "");

        /** Only the object with this uid, whatever has its name by then. */
        public static Deletion of(String uid) {
            return new Deletion(uid, -1, "");
        }

        public Deletion now() {
            return new Deletion(uid, 0, propagationPolicy);
        }

        public Deletion propagating(String policy) {
            return new Deletion(uid, gracePeriodSeconds, policy);
        }
    }

    /**
     * Calls the listener, in order and on one thread of the watch, for every object there is and for every change from
     * then on.
     */
    Subscription watch(Resource resource, Listener listener);

    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }

    interface Listener {
        void changed(ObjectNode object);

        void deleted(ObjectNode object);

        /**
         * Whether a field is of use to this listener: what is not need not be read from the store.
         *
         * @param parent empty for the object's own fields, {@code metadata}, {@code spec} and so on for theirs
         */
        default boolean reads(String parent, String field) {
            return true;
        }

        /** Called once, when every object that was there at the beginning has been told. */
        default void synced() {}
    }
}
