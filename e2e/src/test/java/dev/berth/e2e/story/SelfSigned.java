package dev.berth.e2e.story;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate for 127.0.0.1 that lives as long as a test run. */
record SelfSigned(SSLContext context, String caBundle) {

    static SelfSigned forLoopback() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            var keys = generator.generateKeyPair();
            var name = new X500Name("CN=127.0.0.1");
            var now = Instant.now();
            var builder = new JcaX509v3CertificateBuilder(
                    name,
                    BigInteger.valueOf(now.toEpochMilli()),
                    Date.from(now.minus(Duration.ofHours(1))),
                    Date.from(now.plus(Duration.ofDays(1))),
                    name,
                    keys.getPublic());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
            var certificate = new JcaX509CertificateConverter().getCertificate(builder.build(signer));

            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setKeyEntry("key", keys.getPrivate(), new char[0], new Certificate[] {certificate});
            var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, new char[0]);
            var context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return new SelfSigned(context, bundle(certificate.getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String bundle(byte[] der) {
        var pem = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(der)
                + "\n-----END CERTIFICATE-----\n";
        return Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    }
}
