package dev.berth.e2e.chart;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Looks at the certificate that a server shows. */
final class Handshake {
    private static final int LIMIT_MILLIS = 5000;

    private Handshake() {}

    /** Empty when there is nobody, or nobody who shows one. */
    static List<X509Certificate> with(String address, int port) {
        try {
            var tls = SSLContext.getInstance("TLS");
            tls.init(null, new TrustManager[] {Probe.everybody()}, null);
            try (var socket = (SSLSocket) tls.getSocketFactory().createSocket()) {
                socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address), port), LIMIT_MILLIS);
                socket.setSoTimeout(LIMIT_MILLIS);
                socket.startHandshake();
                return Arrays.stream(socket.getSession().getPeerCertificates())
                        .map(X509Certificate.class::cast)
                        .toList();
            }
        } catch (IOException e) {
            return List.of();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
