package dev.berth.web.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A private key and the certificate for it, with the chain up to the authority that clients trust. */
public record ServingCertificate(PrivateKey key, List<X509Certificate> chain) {
    public ServingCertificate {
        chain = List.copyOf(chain);
        if (chain.isEmpty()) {
            throw new IllegalArgumentException("a serving certificate needs a certificate");
        }
        if (!belongTogether(key, chain.getFirst().getPublicKey())) {
            throw new IllegalArgumentException("the private key does not belong to the certificate of "
                    + chain.getFirst().getSubjectX500Principal());
        }
    }

    public static ServingCertificate parse(String certificatePem, String keyPem) {
        return new ServingCertificate(Pem.privateKey(keyPem), Pem.certificates(certificatePem));
    }

    public X509Certificate certificate() {
        return chain.getFirst();
    }

    /** @param clientAuthorities who may have signed a client's certificate; empty for nobody */
    public SSLContext context(List<X509Certificate> clientAuthorities) {
        try {
            // It never leaves this process: PKCS12 would wrap the key in 10,000 rounds of hashing, and unwrap it again.
            var store = KeyStore.getInstance("JKS");
            store.load(null, null);
            var password = new char[0];
            store.setKeyEntry("serving", key, password, chain.toArray(X509Certificate[]::new));
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust(clientAuthorities), new SecureRandom());
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("the certificate cannot be served: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] trust(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return new TrustManager[0];
        }
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    /** Signs with one and verifies with the other: the same for every kind of key. */
    private static boolean belongTogether(PrivateKey key, PublicKey publicKey) {
        var algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        try {
            var message = new byte[] {1, 2, 3};
            var signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(message);
            var verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(message);
            return verifier.verify(signer.sign());
        } catch (GeneralSecurityException _) {
            return false;
        }
    }
}
