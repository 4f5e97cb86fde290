package dev.berth.web.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringWriter;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {
    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC", "Ed25519"})
    void aKeyComesBackAsItWasWritten(String algorithm) throws Exception {
        var key = newKey(algorithm);

        assertThat(Pem.privateKey(Pem.text(key))).isEqualTo(key);
    }

    @Test
    void theOlderFormOfAnRsaKeyIsRead() throws Exception {
        var key = newKey("RSA");
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(key);
        }

        assertThat(text.toString()).contains("BEGIN RSA PRIVATE KEY");
        assertThat(Pem.privateKey(text.toString())).isEqualTo(key);
    }

    @Test
    void theOlderFormOfAnEllipticKeyIsReadBehindItsParameters() throws Exception {
        var key = (ECPrivateKey) newKey("EC");
        var curve = new ASN1ObjectIdentifier("1.3.132.0.34");
        var text = new StringWriter();
        try (var writer = new PemWriter(text)) {
            writer.writeObject(new PemObject("EC PARAMETERS", curve.getEncoded()));
            writer.writeObject(new PemObject(
                    "EC PRIVATE KEY", new org.bouncycastle.asn1.sec.ECPrivateKey(384, key.getS(), curve).getEncoded()));
        }

        assertThat(((ECPrivateKey) Pem.privateKey(text.toString())).getS()).isEqualTo(key.getS());
    }

    @Test
    void severalCertificatesStayInOrder() {
        var certificates = List.of(
                Authority.create("a", Instant.now(), Duration.ofDays(1)).certificate(),
                Authority.create("b", Instant.now(), Duration.ofDays(1)).certificate());

        assertThat(Pem.certificates(Pem.text(certificates))).isEqualTo(certificates);
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> Pem.privateKey("nothing")).hasMessage("it holds no private key");
        assertThatThrownBy(() -> Pem.certificates("")).hasMessage("it holds no certificate");
        assertThatThrownBy(() -> Pem.privateKey("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"))
                .hasMessageContaining("it is not a private key");
    }

    private static PrivateKey newKey(String algorithm) throws Exception {
        var generator = KeyPairGenerator.getInstance(algorithm);
        // Larger primes take seconds to find, and look the same in a file.
        if (algorithm.equals("RSA")) generator.initialize(2048);
        return generator.generateKeyPair().getPrivate();
    }
}
