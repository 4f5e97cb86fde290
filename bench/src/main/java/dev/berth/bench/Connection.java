package dev.berth.bench;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One HTTP/1.1 connection that is kept open, as lean as can be: the client must not be what is measured. */
public final class Connection implements Closeable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String host;
    private final String token;
    private final Socket socket;
    private final Answers in;
    private final OutputStream out;

    public Connection(Target target) throws IOException {
        URI address = target.address();
        host = address.getHost() + ":" + address.getPort();
        token = target.token();
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        Socket spoken = address.getScheme().equals("https")
                ? Certificates.trustingAll().createSocket(socket, address.getHost(), address.getPort(), false)
                : socket;
        in = new Answers(spoken.getInputStream());
        out = spoken.getOutputStream();
    }

    /** The request as bytes. */
    public byte[] request(String method, String path, byte[] body) {
        // CRLF is written out: a text block has the line ends of its file.
        String lines = method + " " + path + " HTTP/1.1\r\nHost: " + host
                + "\r\nUser-Agent: race/1\r\nAccept: application/json\r\nContent-Type: application/json\r\n"
                + authorization() + "Content-Length: " + body.length + "\r\n\r\n";
        byte[] head = lines.getBytes(StandardCharsets.US_ASCII);
        byte[] request = new byte[head.length + body.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(body, 0, request, head.length, body.length);
        return request;
    }

    private String authorization() {
        return token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
    }

    /** Sends the request, reads the whole answer, and gives its status. */
    public int send(byte[] request) throws IOException {
        out.write(request);
        out.flush();
        Answers.Head head = in.head();
        in.skipBody(head);
        return head.status();
    }

    /** Sends the request and gives the answer's text. */
    public String ask(String method, String path) throws IOException {
        out.write(request(method, path, new byte[0]));
        out.flush();
        return new String(in.body(in.head()), StandardCharsets.UTF_8);
    }

    /** Sends the request and gives the answer's text; anything but success is a failure. */
    public String answer(byte[] request) throws IOException {
        out.write(request);
        out.flush();
        Answers.Head head = in.head();
        String text = new String(in.body(head), StandardCharsets.UTF_8);
        if (head.status() >= 300) throw new IOException("answered with " + head.status() + ": " + text);
        return text;
    }

    /** Opens a watch; {@link #awaitEvents} then reads it. */
    void watch(String path) throws IOException {
        out.write(request("GET", path, new byte[0]));
        out.flush();
        Answers.Head head = in.head();
        if (head.status() != 200) throw new IOException("the watch was answered with " + head.status());
        if (!head.chunked()) throw new IOException("the watch is not answered in chunks");
    }

    /** Returns when that many more events have come. */
    void awaitEvents(int count) throws IOException {
        for (int seen = 0; seen < count; ) seen += in.linesOfChunk();
    }

    /** Waits for the watch to bring something, and gives how many events that were. */
    int events() throws IOException {
        return in.linesOfChunk();
    }

    /** Closes what is below TLS: TLS itself would wait for the other side's farewell. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
