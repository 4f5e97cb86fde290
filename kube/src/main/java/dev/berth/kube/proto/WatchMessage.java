package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.Status;

/** An event of a watch, whose object has not been read yet. */
public final class WatchMessage {
    private final String type;
    private final Fields object;

    private WatchMessage(String type, Fields object) {
        this.type = type;
        this.object = object;
    }

    static WatchMessage of(Fields in) throws MalformedMessageException {
        var type = "";
        var object = in.nothing();
        for (int number = in.next(); number > 0; number = in.next()) {
            switch (number) {
                case 1 -> type = in.text();
                case 2 -> object = raw(in);
                default -> in.skip();
            }
        }
        return new WatchMessage(type, object);
    }

    /** The only field of a {@code RawExtension}. */
    private static Fields raw(Fields in) throws MalformedMessageException {
        var extension = in.part();
        if (extension.next() != 1) {
            throw new MalformedMessageException("an event without an object");
        }
        return extension.part();
    }

    /** Such as ADDED. */
    public String type() {
        return type;
    }

    Fields object() {
        return object;
    }

    /** What went wrong, of an event that says so. */
    public Status status() throws MalformedMessageException {
        return Envelope.open(object, new Status(), StatusMessages::status);
    }
}
