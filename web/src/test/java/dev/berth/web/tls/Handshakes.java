package dev.berth.web.tls;

import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** A server with a given certificate, and clients that trust given authorities. */
final class Handshakes {
    private static final int TIMEOUT_MILLIS = 10_000;

    private Handshakes() {}

    static HttpServer serve(TlsSource source) {
        return HttpServer.start(List.of(new Listener(
                "https",
                "127.0.0.1",
                0,
                Optional.of(source),
                Limits.DEFAULT,
                routes -> routes.get(
                        "/",
                        (request, response) -> response.send(request.remotePeer()
                                .tlsPrincipal()
                                .map(Object::toString)
                                .orElse("nobody"))))));
    }

    static SSLContext trusting(List<X509Certificate> authorities, Optional<ServingCertificate> own) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (var authority : authorities) {
            store.setCertificateEntry(authority.getSerialNumber().toString(), authority);
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var keys = new KeyManager[0];
        if (own.isPresent()) {
            var ownStore = KeyStore.getInstance("PKCS12");
            ownStore.load(null, null);
            ownStore.setKeyEntry(
                    "own", own.get().key(), new char[0], own.get().chain().toArray(X509Certificate[]::new));
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(ownStore, new char[0]);
            keys = factory.getKeyManagers();
        }
        var context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    static SSLSocket connect(int port, SSLContext context) throws Exception {
        var socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.startHandshake();
        return socket;
    }

    static BigInteger serialSeen(SSLSocket socket) throws Exception {
        return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
    }

    static BigInteger serialSeen(int port, X509Certificate... authorities) throws Exception {
        try (var socket = connect(port, trusting(List.of(authorities), Optional.empty()))) {
            return serialSeen(socket);
        }
    }

    static BigInteger serialSeenByAnyone(int port) throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[0], new TrustManager[] {new TrustsEveryone()}, new SecureRandom());
        try (var socket = connect(port, context)) {
            return serialSeen(socket);
        }
    }

    private static final class TrustsEveryone extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
