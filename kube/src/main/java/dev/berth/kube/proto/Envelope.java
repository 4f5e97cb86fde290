package dev.berth.kube.proto;

/** What Kubernetes puts around a message: four bytes, and an {@code Unknown} that says what is in it. */
final class Envelope {
    /** The field that is the message. */
    static final int RAW = 2;

    private static final byte[] MARK = {'k', '8', 's', 0};

    private Envelope() {}

    /** What is in it. */
    static <T> T open(Fields in, T object, Message<T> message) throws MalformedMessageException {
        begin(in);
        boolean empty = true;
        for (int number = in.next(); number > 0; number = in.next()) {
            if (number == RAW) {
                in.message(object, message);
                empty = false;
            } else {
                in.skip();
            }
        }
        if (empty) {
            throw nothing();
        }
        return object;
    }

    static int markLength() {
        return MARK.length;
    }

    static void begin(Fields in) throws MalformedMessageException {
        if (!in.begins(MARK)) {
            throw new MalformedMessageException("the answer does not begin as Kubernetes' protobuf does");
        }
    }

    static MalformedMessageException nothing() {
        return new MalformedMessageException("there is no message in the envelope");
    }
}
