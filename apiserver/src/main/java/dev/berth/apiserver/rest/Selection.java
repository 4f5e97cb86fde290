package dev.berth.apiserver.rest;

import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.store.Stored;
import org.jspecify.annotations.Nullable;

/**
 * Which objects of a table a list or a watch is about.
 *
 * @param prefix of the keys: a namespace and a slash, or nothing
 */
record Selection(String prefix, LabelSelector labels, FieldSelector fields) {

    /** @param name the one object that the path names; empty for all */
    static Selection of(ResourceType type, String namespace, String name, Query query) {
        String prefix = type.namespaced() && !namespace.isEmpty() ? namespace + "/" : "";
        LabelSelector labels = LabelSelector.parse(query.text("labelSelector"));
        FieldSelector fields = FieldSelector.parse(type, query.text("fieldSelector"));
        if (!name.isEmpty()) fields = fields.and(FieldSelector.named(name));
        return new Selection(prefix, labels, fields);
    }

    boolean isPlain() {
        return labels.isEverything() && fields.isEverything();
    }

    boolean matches(String key, @Nullable Stored stored) {
        return stored != null
                && key.startsWith(prefix)
                && labels.matches(stored.facts().labels())
                && fields.matches(key, stored);
    }
}
