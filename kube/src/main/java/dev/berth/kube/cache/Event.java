package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.Status;

/**
 * What a watch says.
 *
 * @param <T> the kind that is watched
 */
sealed interface Event<T> {
    /** The object is there, and looks like this. */
    record There<T>(T object) implements Event<T> {}

    /** The object is gone, and looked like this. */
    record Gone<T>(T object) implements Event<T> {}

    /** Nothing has happened up to this version. */
    record Bookmark<T>(String version) implements Event<T> {}

    /** The watch cannot go on. */
    record Failed<T>(Status status) implements Event<T> {}
}
