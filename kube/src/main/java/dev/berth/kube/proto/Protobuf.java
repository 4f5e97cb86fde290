package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.Status;

/** The encoding as HTTP knows it. */
public final class Protobuf {
    public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private Protobuf() {}

    /** @param contentType of an answer, perhaps with parameters */
    public static boolean is(String contentType) {
        return contentType.startsWith(MEDIA_TYPE);
    }

    /** Why the server has refused something. */
    public static Status status(byte[] body) throws MalformedMessageException {
        return Envelope.open(new Fields(new Texts(), body, 0, body.length), new Status(), StatusMessages::status);
    }
}
