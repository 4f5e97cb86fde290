package dev.berth.web.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/** Certificates and keys as text. What cannot be read is an IllegalArgumentException that says what is wrong. */
public final class Pem {
    private static final Pattern PKCS8 =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private Pem() {}

    public static List<X509Certificate> certificates(String pem) {
        try {
            var found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
            if (found.isEmpty()) {
                throw new IllegalArgumentException("it holds no certificate");
            }
            return found.stream().map(X509Certificate.class::cast).toList();
        } catch (CertificateException e) {
            throw new IllegalArgumentException("it is not a certificate in PEM form: " + e.getMessage(), e);
        }
    }

    /** PKCS #8, and the older forms of openssl for RSA and elliptic curves. */
    public static PrivateKey privateKey(String pem) {
        var modern = PKCS8.matcher(pem);
        return modern.find() ? pkcs8(modern.group(1)) : olderPrivateKey(pem);
    }

    /** Java reads this form itself, and much sooner than Bouncy Castle is loaded. */
    private static PrivateKey pkcs8(String base64) {
        try {
            var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
            for (var algorithm : List.of("RSA", "EC", "EdDSA")) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
                } catch (InvalidKeySpecException _) {
                    // a key of another kind
                }
            }
            throw new IllegalArgumentException("it is not a private key for RSA, an elliptic curve or Ed25519");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks a standard algorithm", e);
        }
    }

    private static PrivateKey olderPrivateKey(String pem) {
        try (var parser = new PEMParser(new StringReader(pem))) {
            var converter = new JcaPEMKeyConverter();
            for (var next = parser.readObject(); next != null; next = parser.readObject()) {
                switch (next) {
                    case PEMKeyPair pair -> {
                        return converter.getPrivateKey(pair.getPrivateKeyInfo());
                    }
                    case PEMEncryptedKeyPair _, PKCS8EncryptedPrivateKeyInfo _ ->
                        throw new IllegalArgumentException("the private key is encrypted; give it without a password");
                    default -> {
                        // openssl writes the parameters of a curve in front of its key
                    }
                }
            }
            throw new IllegalArgumentException("it holds no private key");
        } catch (IOException e) {
            throw new IllegalArgumentException("it is not a private key in PEM form: " + e.getMessage(), e);
        }
    }

    public static String text(X509Certificate certificate) {
        try {
            return block("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new IllegalStateException("a certificate that was read cannot be written", e);
        }
    }

    public static String text(List<X509Certificate> certificates) {
        return certificates.stream().map(Pem::text).reduce("", String::concat);
    }

    public static String text(PrivateKey key) {
        return block("PRIVATE KEY", key.getEncoded());
    }

    private static String block(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n" + LINES.encodeToString(content) + "\n-----END " + label + "-----\n";
    }
}
