package dev.berth.kube.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.concurrent.locks.ReentrantLock;

/** What follows an answer's head, up to where HTTP says that it ends. */
final class Body extends InputStream {
    static final long UNTIL_THE_END = -1;

    private static final int LONGEST_LINE = 8 * 1024;
    private static final int HEXADECIMAL = 16;

    private final Connection connection;
    private final boolean chunked;
    /** Held by whoever reads: another thread may want to end the connection meanwhile, and must not read as well. */
    private final ReentrantLock reading = new ReentrantLock();
    /** Of the body, or of the chunk that is being read. */
    private long left;

    private boolean begun;
    private boolean ended;

    Body(Connection connection, boolean chunked, long length) {
        this.connection = connection;
        this.chunked = chunked;
        this.left = length;
        this.ended = !chunked && length == 0;
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        reading.lock();
        try {
            return length == 0 ? 0 : some(into, offset, length);
        } finally {
            reading.unlock();
        }
    }

    private int some(byte[] into, int offset, int length) throws IOException {
        if (!ended && chunked && left == 0) {
            nextChunk();
        }
        if (ended) {
            return -1;
        }
        int most = left == UNTIL_THE_END ? length : (int) Math.min(length, left);
        int read = connection.read(into, offset, most);
        if (read >= 0) {
            left -= left == UNTIL_THE_END ? 0 : read;
            ended = !chunked && left == 0;
        } else if (left == UNTIL_THE_END) {
            ended = true;
        } else {
            throw new EOFException("the connection ended in the middle of an answer");
        }
        return read;
    }

    /** Of known length, as most answers are, at once. */
    @Override
    public byte[] readAllBytes() throws IOException {
        if (chunked || left == UNTIL_THE_END || left > Connection.ROOM) {
            return super.readAllBytes();
        }
        return readNBytes((int) left);
    }

    private void nextChunk() throws IOException {
        if (begun && !connection.line(LONGEST_LINE).isEmpty()) {
            throw new ProtocolException("a part of an answer is longer than was said");
        }
        begun = true;
        var line = connection.line(LONGEST_LINE);
        int extension = line.indexOf(';');
        left = Head.number((extension < 0 ? line : line.substring(0, extension)).strip(), HEXADECIMAL, "next length");
        if (left == 0) {
            while (!connection.line(LONGEST_LINE).isEmpty()) {
                // Headers that follow a body: nobody here asks for any.
            }
            ended = true;
        }
    }

    /** Whether nothing is left of it, without waiting for anything or anybody. */
    boolean over() throws IOException {
        if (!reading.tryLock()) {
            return false;
        }
        try {
            if (!ended && chunked && left == 0 && connection.atEndOfChunks()) {
                nextChunk();
            }
            return ended;
        } finally {
            reading.unlock();
        }
    }
}
