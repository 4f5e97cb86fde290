package dev.berth.apiserver.admission;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Trusts what a caBundle says, or the system's roots when there is none, and words refusals as Go does. */
final class Trust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager inner;

    private Trust(X509ExtendedTrustManager inner) {
        this.inner = inner;
    }

    /** @param caBundle PEM in base64, as stored; empty for the system's roots */
    static SSLSocketFactory sockets(String caBundle) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(caBundle.isEmpty() ? null : roots(caBundle));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    new TrustManager[] {new Trust((X509ExtendedTrustManager) factory.getTrustManagers()[0])},
                    null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException | IOException | IllegalArgumentException _) {
            throw new WebhookFailure("could not get REST client: unable to load root certificates: "
                    + "unable to parse bytes as PEM block");
        }
    }

    private static KeyStore roots(String caBundle) throws GeneralSecurityException, IOException {
        byte[] pem = Base64.getMimeDecoder().decode(caBundle);
        KeyStore roots = KeyStore.getInstance(KeyStore.getDefaultType());
        roots.load(null, null);
        int count = 0;
        for (var each : CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            roots.setCertificateEntry("root-" + count++, each);
        }
        if (count == 0) throw new IllegalArgumentException("no certificate");
        return roots;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        try {
            inner.checkServerTrusted(chain, authType, socket);
        } catch (CertificateException refused) {
            String peer =
                    socket instanceof SSLSocket tls ? tls.getHandshakeSession().getPeerHost() : "";
            throw new CertificateException(reason(refused, chain[0], peer), refused);
        }
    }

    private static String reason(CertificateException refused, X509Certificate leaf, @Nullable String peer)
            throws CertificateException {
        for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return "x509: certificate has expired or is not yet valid: " + cause.getMessage();
            }
        }
        String message = String.valueOf(refused.getMessage());
        if (message.startsWith("No ")) {
            List<String> names = new ArrayList<>();
            var alternatives = leaf.getSubjectAlternativeNames();
            if (alternatives != null) alternatives.forEach(each -> names.add(String.valueOf(each.get(1))));
            return "x509: certificate is valid for %s, not %s".formatted(String.join(", ", names), peer);
        }
        return "x509: certificate signed by unknown authority";
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("a name is needed to check a certificate");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        inner.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this side is the client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        throw new CertificateException("this side is the client");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        throw new CertificateException("this side is the client");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return inner.getAcceptedIssuers();
    }
}
