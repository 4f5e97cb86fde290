package dev.berth.kube.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** A connection to the server: one request, its answer, and then perhaps another. */
final class Connection {
    static final int ROOM = 8 * 1024;

    private static final byte[] END_OF_CHUNKS = "\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** What is below TLS. */
    private final Socket socket;

    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[ROOM];
    private int at;
    private int filled;
    private boolean answered;
    private long restingSince;

    /** @param spoken the same with TLS, where there is TLS */
    Connection(Socket socket, Socket spoken) throws IOException {
        this.socket = socket;
        this.in = spoken.getInputStream();
        this.out = spoken.getOutputStream();
    }

    /** @param silence how long the server may say nothing */
    Head ask(byte[] request, Duration silence) throws IOException {
        answered = false;
        socket.setSoTimeout(Math.toIntExact(Math.max(1, silence.toMillis())));
        out.write(request);
        out.flush();
        return Head.read(this);
    }

    /** Whether anything has come since the last request. */
    boolean answered() {
        return answered;
    }

    void rest(long since) {
        restingSince = since;
    }

    long restingSince() {
        return restingSince;
    }

    /**
     * Whether the server still holds its end. Whatever it says while nobody asks is its farewell.
     *
     * @param within how long to listen
     */
    boolean open(Duration within) {
        try {
            socket.setSoTimeout(Math.toIntExact(within.toMillis()));
            socket.getInputStream().read();
            return false;
        } catch (SocketTimeoutException silent) {
            return at == filled;
        } catch (IOException broken) {
            return false;
        }
    }

    /** Without its end, which is CRLF, or LF alone. */
    String line(int longest) throws IOException {
        var line = "";
        while (true) {
            for (int i = at; i < filled; i++) {
                if (buffer[i] == '\n') {
                    var rest = text(at, i);
                    at = i + 1;
                    line = line.isEmpty() ? rest : line + rest;
                    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
                }
            }
            line += text(at, filled);
            if (line.length() > longest) {
                throw new ProtocolException("a line of more than %d bytes".formatted(longest));
            }
            if (!fill()) {
                throw new EOFException(
                        answered ? "the connection ended in the middle of an answer" : "the connection ended");
            }
        }
    }

    private String text(int from, int to) {
        return new String(buffer, from, to - from, StandardCharsets.ISO_8859_1);
    }

    int read(byte[] into, int offset, int length) throws IOException {
        if (at == filled) {
            if (length >= ROOM) {
                return in.read(into, offset, length);
            }
            if (!fill()) {
                return -1;
            }
        }
        int some = Math.min(length, filled - at);
        System.arraycopy(buffer, at, into, offset, some);
        at += some;
        return some;
    }

    private boolean fill() throws IOException {
        int read = in.read(buffer, 0, ROOM);
        at = 0;
        filled = Math.max(read, 0);
        answered |= read > 0;
        return read > 0;
    }

    /** Whether what has come, and is not read yet, is just the end of a body in chunks. */
    boolean atEndOfChunks() {
        return Arrays.equals(buffer, at, filled, END_OF_CHUNKS, 0, END_OF_CHUNKS.length);
    }

    /** Whoever reads from it learns of it. TLS is not told: it would wait for the other side's farewell. */
    void end() {
        try {
            socket.close();
        } catch (IOException broken) {
            // Then it has ended already.
        }
    }
}
