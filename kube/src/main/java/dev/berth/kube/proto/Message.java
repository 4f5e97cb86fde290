package dev.berth.kube.proto;

/**
 * What the fields of one kind of message are, by the numbers that Kubernetes has given them in its files
 * {@code generated.proto}; a number is never given again.
 *
 * @param <T> what is made of the message
 */
@FunctionalInterface
interface Message<T> {
    /** Takes the value of this field, or skips it. */
    void field(T object, int number, Fields in) throws MalformedMessageException;
}
