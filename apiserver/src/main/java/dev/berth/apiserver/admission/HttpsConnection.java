package dev.berth.apiserver.admission;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * One HTTP/1.1 connection over TLS that is used for request after request. The JDK's client cannot be told to connect
 * to one address and to expect the certificate of another name, which is what a webhook behind a Service needs.
 */
final class HttpsConnection implements AutoCloseable {
    private static final int MOST_BYTES = 16 << 20;
    private static final int MOST_HEADER_LINES = 200;

    /** What came back. */
    record Response(int status, String contentType, String body) {
        private static Response of(int status, String contentType, byte[] body) {
            return new Response(status, contentType, new String(body, StandardCharsets.UTF_8));
        }
    }

    private final Socket plain;
    private final SSLSocket tls;
    private final InputStream in;
    private boolean reusable = true;
    private boolean answering;

    private HttpsConnection(Socket plain, SSLSocket tls) throws IOException {
        this.plain = plain;
        this.tls = tls;
        this.in = new BufferedInputStream(tls.getInputStream(), 8192);
    }

    /**
     * @param abort is given a way to end the connection from outside before anything can block
     * @param name what the certificate has to be made out to
     */
    static HttpsConnection open(
            InetSocketAddress address, String name, SSLSocketFactory sockets, Duration timeout, Abort abort)
            throws IOException {
        var plain = new Socket();
        abort.by(plain);
        try {
            plain.setTcpNoDelay(true);
            plain.connect(address, Math.toIntExact(timeout.toMillis()));
            SSLSocket tls = (SSLSocket) sockets.createSocket(plain, name, address.getPort(), true);
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
            tls.setSSLParameters(parameters);
            tls.startHandshake();
            return new HttpsConnection(plain, tls);
        } catch (IOException | RuntimeException failed) {
            plain.close();
            throw failed;
        }
    }

    /** Lets a watchdog end a call. */
    interface Abort {
        void by(Socket socket);
    }

    Socket socket() {
        return plain;
    }

    Response post(String host, String path, byte[] body) throws IOException {
        answering = false;
        String head = "POST " + path + " HTTP/1.1\r\nHost: " + host
                + "\r\nUser-Agent: kube-apiserver-admission\r\nAccept: application/json, */*"
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n";
        var request = new ByteArrayOutputStream(head.length() + body.length);
        request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(body);
        var out = tls.getOutputStream();
        out.write(request.toByteArray());
        out.flush();
        while (true) {
            int status = status(line());
            Map<String, String> headers = headers();
            if (status >= 200) return response(status, headers);
        }
    }

    /** False when the server closed the connection before it answered anything: then the request may be sent again. */
    boolean answering() {
        return answering;
    }

    boolean reusable() {
        return reusable && !plain.isClosed();
    }

    private Response response(int status, Map<String, String> headers) throws IOException {
        String connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        if (connection.contains("close")) reusable = false;
        String type = headers.getOrDefault("content-type", "");
        String length = headers.get("content-length");
        if (status == 204 || status == 304) return new Response(status, type, "");
        if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .contains("chunked")) {
            return Response.of(status, type, chunks());
        }
        if (length != null) return Response.of(status, type, exactly(number(length, 10)));
        reusable = false;
        byte[] rest = in.readNBytes(MOST_BYTES + 1);
        return Response.of(status, type, exactlyAsMany(rest));
    }

    private static byte[] exactlyAsMany(byte[] rest) throws IOException {
        if (rest.length > MOST_BYTES) throw new IOException("response is too large");
        return rest;
    }

    private byte[] chunks() throws IOException {
        var body = new ByteArrayOutputStream();
        while (true) {
            String size = line();
            int semicolon = size.indexOf(';');
            int count = number(semicolon < 0 ? size : size.substring(0, semicolon), 16);
            if (count == 0) break;
            if (body.size() + count > MOST_BYTES) throw new IOException("response is too large");
            body.writeBytes(exactly(count));
            line();
        }
        headers();
        return body.toByteArray();
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) throw new EOFException("unexpected EOF");
        return bytes;
    }

    private static int number(String text, int radix) throws IOException {
        try {
            int number = Integer.parseInt(text.strip(), radix);
            if (number < 0 || number > MOST_BYTES) throw new IOException("response is too large");
            return number;
        } catch (NumberFormatException _) {
            throw new IOException("malformed HTTP response");
        }
    }

    private static int status(String line) throws IOException {
        if (!line.startsWith("HTTP/1.") || line.length() < 12) throw new IOException("malformed HTTP response");
        return number(line.substring(9, 12), 10);
    }

    private Map<String, String> headers() throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (int count = 0; count < MOST_HEADER_LINES; count++) {
            String line = line();
            if (line.isEmpty()) return headers;
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        throw new IOException("too many header lines");
    }

    private String line() throws IOException {
        var line = new StringBuilder(64);
        while (line.length() < 16_384) {
            int next = in.read();
            if (next < 0) throw new EOFException("EOF");
            answering = true;
            if (next == '\n') return line.toString();
            if (next != '\r') line.append((char) next);
        }
        throw new IOException("header line is too long");
    }

    @Override
    public void close() {
        try {
            plain.close();
        } catch (IOException _) {
            // Nothing is left to be done with it.
        }
    }
}
