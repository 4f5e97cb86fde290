package dev.berth.e2e.chart;

import dev.berth.e2e.server.Credulous;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** Looks at the certificate that a server shows. */
final class Handshake {
    private static final int LIMIT_MILLIS = 5000;

    private Handshake() {}

    /** Empty when there is nobody, or nobody who shows one. */
    static List<X509Certificate> with(String address, int port) {
        try (var socket = (SSLSocket) Credulous.context().getSocketFactory().createSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.startHandshake();
            return Arrays.stream(socket.getSession().getPeerCertificates())
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
