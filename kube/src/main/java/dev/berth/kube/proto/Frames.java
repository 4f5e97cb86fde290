package dev.berth.kube.proto;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Cuts a watch into its events, each as soon as it is whole: four bytes say how long it is. */
public final class Frames {
    private final Texts texts = new Texts();
    private final Pieces pieces;

    public Frames(InputStream in) {
        this.pieces = new Pieces(in);
    }

    /** Waits for the next one; false at the end, and what is not whole is lost. */
    public boolean next() throws IOException {
        return pieces.next(Integer.BYTES)
                && pieces.next(Integer.toUnsignedLong(ByteBuffer.wrap(pieces.buffer(), pieces.start(), Integer.BYTES)
                        .getInt()));
    }

    /** The one that has come. */
    public WatchMessage message() throws MalformedMessageException {
        return WatchMessage.of(new Fields(texts, pieces.buffer(), pieces.start(), pieces.length()));
    }
}
