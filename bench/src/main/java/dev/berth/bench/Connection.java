package dev.berth.bench;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One HTTP/1.1 connection that is kept open, as lean as can be: the client must not be what is measured. */
final class Connection implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String host;
    private final String token;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Connection(Target target) throws IOException {
        URI address = target.address();
        host = address.getHost() + ":" + address.getPort();
        token = target.token();
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        Socket spoken = address.getScheme().equals("https")
                ? Certificates.trustingAll().createSocket(socket, address.getHost(), address.getPort(), false)
                : socket;
        in = new BufferedInputStream(spoken.getInputStream(), 1 << 16);
        out = spoken.getOutputStream();
    }

    /** The request as bytes, made before the clock runs. */
    byte[] request(String method, String path, byte[] body) {
        // CRLF is written out: a text block has the line ends of its file.
        String lines = String.join(
                "\r\n",
                "%s %s HTTP/1.1",
                "Host: %s",
                "User-Agent: race/1",
                "Accept: application/json",
                "Content-Type: application/json",
                "%sContent-Length: %d",
                "",
                "");
        byte[] head = lines.formatted(method, path, host, authorization(), body.length)
                .getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private String authorization() {
        return token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
    }

    /** Sends the request, reads the whole answer, and gives its status. */
    int send(byte[] request) throws IOException {
        out.write(request);
        out.flush();
        Head head = readHead();
        if (head.chunked()) skipChunks();
        else in.skipNBytes(head.length());
        return head.status();
    }

    /** Sends the request and gives the answer's text. */
    String ask(String method, String path) throws IOException {
        out.write(request(method, path, new byte[0]));
        out.flush();
        Head head = readHead();
        if (!head.chunked()) return new String(in.readNBytes(head.length()), StandardCharsets.UTF_8);
        var text = new StringBuilder();
        for (int size = chunk(); size > 0; size = chunk()) {
            text.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
            line();
        }
        line();
        return text.toString();
    }

    /** Opens a watch; {@link #awaitEvents} then reads it. */
    void watch(String path) throws IOException {
        out.write(request("GET", path, new byte[0]));
        out.flush();
        Head head = readHead();
        if (head.status() != 200) throw new IOException("the watch was answered with " + head.status());
        if (!head.chunked()) throw new IOException("the watch is not answered in chunks");
    }

    /** Returns when that many more events have come. */
    void awaitEvents(int count) throws IOException {
        int seen = 0;
        byte[] buffer = new byte[1 << 16];
        while (seen < count) {
            int size = chunk();
            if (size == 0) throw new EOFException("the watch ended after " + seen + " events");
            while (size > 0) {
                int read = in.read(buffer, 0, Math.min(size, buffer.length));
                if (read < 0) throw new EOFException("the watch broke after " + seen + " events");
                for (int i = 0; i < read; i++) if (buffer[i] == '\n') seen++;
                size -= read;
            }
            line();
        }
    }

    private record Head(int status, int length, boolean chunked) {}

    private Head readHead() throws IOException {
        String first = line();
        int status = Integer.parseInt(first.substring(9, 12));
        int length = 0;
        boolean chunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).strip());
            } else if (line.regionMatches(true, 0, "transfer-encoding:", 0, 18)) {
                chunked = line.contains("chunked");
            }
        }
        return new Head(status, length, chunked);
    }

    private void skipChunks() throws IOException {
        for (int size = chunk(); size > 0; size = chunk()) {
            in.skipNBytes(size);
            line();
        }
        line();
    }

    private int chunk() throws IOException {
        String size = line();
        int end = size.indexOf(';');
        return Integer.parseInt((end < 0 ? size : size.substring(0, end)).strip(), 16);
    }

    private String line() throws IOException {
        var text = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) throw new EOFException("the server closed the connection");
            if (c != '\r') text.append((char) c);
        }
        return text.toString();
    }

    /** Closes what is below TLS: TLS itself would wait for the other side's farewell. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
