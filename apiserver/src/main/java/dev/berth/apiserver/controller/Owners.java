package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.LabelSelector;
import org.jspecify.annotations.Nullable;

/** Finds whose business a change is. */
final class Owners {
    private Owners() {}

    static Mirror.Follower self(WorkQueue<Key> queue) {
        return (before, now) -> {
            ObjectNode object = now == null ? before : now;
            if (object != null) queue.add(Key.of(object));
        };
    }

    /** The controller of the changed object, when it is of this kind, before and after the change. */
    static Mirror.Follower ofKind(String kind, String group, WorkQueue<Key> queue) {
        return (before, now) -> {
            add(before, kind, group, queue);
            add(now, kind, group, queue);
        };
    }

    private static void add(@Nullable ObjectNode object, String kind, String group, WorkQueue<Key> queue) {
        if (object == null) return;
        JsonNode owner = Fields.controller(object);
        if (!owner.path("kind").asText().equals(kind)) return;
        if (!owner.path("apiVersion").asText().startsWith(group + "/")) return;
        queue.add(new Key(Fields.namespace(object), owner.path("name").asText()));
    }

    /** Everybody who might take in a pod that nobody controls. */
    static Mirror.Follower ofOrphans(Mirror owners, WorkQueue<Key> queue) {
        return (_, pod) -> {
            if (pod == null || Fields.deleting(pod)) return;
            if (pod.path("metadata").path("labels").isEmpty()) return;
            if (!Fields.controller(pod).isMissingNode()) return;
            for (ObjectNode owner : owners.all()) {
                if (!Fields.namespace(owner).equals(Fields.namespace(pod))) continue;
                var selector = LabelSelector.of(owner.path("spec").path("selector"));
                if (!selector.isEmpty() && selector.matches(pod)) queue.add(Key.of(owner));
            }
        };
    }
}
