package dev.berth.bench;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads HTTP/1.1 answers from a stream, without a copy of what is only counted. */
final class Answers {
    record Head(int status, int length, boolean chunked) {}

    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ENCODING = "transfer-encoding: chunked".getBytes(StandardCharsets.US_ASCII);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LINE_ENDS = 0x0a0a0a0a0a0a0a0aL;
    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;

    Answers(InputStream in) {
        this.in = in;
    }

    Head head() throws IOException {
        int start = line();
        int status = number(start + 9, 10);
        int length = 0;
        boolean chunked = false;
        for (start = line(); at - start > 2; start = line()) {
            if (begins(start, LENGTH)) length = number(start + LENGTH.length, 10);
            else if (begins(start, ENCODING)) chunked = true;
        }
        return new Head(status, length, chunked);
    }

    void skipBody(Head head) throws IOException {
        if (!head.chunked()) {
            skip(head.length());
            return;
        }
        for (int size = chunk(); size > 0; size = chunk()) skip(size + 2);
        skip(2);
    }

    byte[] body(Head head) throws IOException {
        var body = new ByteArrayOutputStream();
        if (!head.chunked()) {
            copy(head.length(), body);
            return body.toByteArray();
        }
        for (int size = chunk(); size > 0; size = chunk()) {
            copy(size, body);
            skip(2);
        }
        skip(2);
        return body.toByteArray();
    }

    /** Reads a chunk, and says how many lines end in it. */
    int linesOfChunk() throws IOException {
        int left = chunk();
        if (left == 0) throw new EOFException("the watch has ended");
        int lines = 0;
        while (left > 0) {
            if (at == end) fill();
            int part = Math.min(left, end - at);
            lines += lines(at, at + part);
            at += part;
            left -= part;
        }
        skip(2);
        return lines;
    }

    private int lines(int from, int to) {
        int lines = 0;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            long word = (long) LONGS.get(buffer, i) ^ LINE_ENDS;
            // A byte's high bit is set where the byte is not zero: what is left over are the line ends.
            long others = ((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS;
            lines += Long.bitCount(~others);
        }
        for (; i < to; i++) if (buffer[i] == '\n') lines++;
        return lines;
    }

    private int chunk() throws IOException {
        return number(line(), 16);
    }

    private void skip(int count) throws IOException {
        int left = count;
        while (left > end - at) {
            left -= end - at;
            at = end;
            fill();
        }
        at += left;
    }

    private void copy(int count, ByteArrayOutputStream out) throws IOException {
        for (int left = count; left > 0; ) {
            if (at == end) fill();
            int part = Math.min(left, end - at);
            out.write(buffer, at, part);
            at += part;
            left -= part;
        }
    }

    /** Where the next line starts; afterwards {@link #at} is behind its end. */
    private int line() throws IOException {
        int scanned = at;
        while (true) {
            for (; scanned < end; scanned++) {
                if (buffer[scanned] == '\n') {
                    int start = at;
                    at = scanned + 1;
                    return start;
                }
            }
            int moved = at;
            System.arraycopy(buffer, at, buffer, 0, end - at);
            end -= moved;
            scanned -= moved;
            at = 0;
            if (end == buffer.length) throw new IOException("a line of the answer has no end");
            more();
        }
    }

    private void fill() throws IOException {
        at = 0;
        end = 0;
        more();
    }

    private void more() throws IOException {
        int read = in.read(buffer, end, buffer.length - end);
        if (read < 0) throw new EOFException("the server closed the connection");
        end += read;
    }

    private int number(int from, int radix) {
        int value = 0;
        int i = from;
        while (buffer[i] == ' ') i++;
        for (int digit = Character.digit(buffer[i], radix); digit >= 0; digit = Character.digit(buffer[++i], radix)) {
            value = value * radix + digit;
        }
        return value;
    }

    /** @param word in lower case */
    private boolean begins(int start, byte[] word) {
        if (at - start < word.length) return false;
        for (int i = 0; i < word.length; i++) {
            int c = buffer[start + i];
            if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
            if (c != word[i]) return false;
        }
        return true;
    }
}
