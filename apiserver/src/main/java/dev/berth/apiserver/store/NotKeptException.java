package dev.berth.apiserver.store;

import java.io.IOException;

/** A change that the disk did not take. It has been undone, as if it had never been asked for. */
public final class NotKeptException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    NotKeptException(IOException cause) {
        super(
                "the change could not be written to the data directory and is undone (" + cause.getMessage()
                        + "); make room there and try again",
                cause);
    }
}
