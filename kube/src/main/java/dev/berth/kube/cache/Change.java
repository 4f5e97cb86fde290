package dev.berth.kube.cache;

/**
 * Something that happened to an object in a cache.
 *
 * @param <T> the object's kind
 */
public sealed interface Change<T> {
    /** The object as it is now, or as it was last seen. */
    T newest();

    record Added<T>(T newest) implements Change<T> {}

    record Updated<T>(T before, T newest) implements Change<T> {}

    record Removed<T>(T newest) implements Change<T> {}
}
