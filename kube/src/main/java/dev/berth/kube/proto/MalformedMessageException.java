package dev.berth.kube.proto;

import java.io.IOException;

/** What came is no protobuf message, or not the one that it should be. */
public final class MalformedMessageException extends IOException {
    MalformedMessageException(String message) {
        super(message);
    }

    MalformedMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
