package dev.berth.web.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority of our own: P-256 keys, signed with ECDSA and SHA-256. */
public record Authority(PrivateKey key, X509Certificate certificate) {
    /** Certificates are valid from a little before they are made, for clients whose clock is behind. */
    static final Duration BACKDATED = Duration.ofMinutes(5);

    /** RFC 5280; clients look at the alternative names, which may be longer. */
    private static final int LONGEST_COMMON_NAME = 64;

    private static final SecureRandom RANDOM = new SecureRandom();

    public Authority {
        if (certificate.getBasicConstraints() < 0) {
            throw new IllegalArgumentException(
                    certificate.getSubjectX500Principal() + " is not a certificate authority");
        }
    }

    public static Authority create(String commonName, Instant now, Duration life) {
        var pair = newKeyPair();
        // The serial in the name keeps an old and a new authority apart where clients look issuers up by name.
        var serial = newSerial();
        var subject = new X500NameBuilder()
                .addRDN(BCStyle.CN, commonName + " " + serial.toString(16).substring(0, 8))
                .build();
        try {
            var builder = builder(subject, serial, now, life, subject, pair.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(
                            Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
            return new Authority(pair.getPrivate(), sign(builder, pair.getPrivate()));
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("no certificate authority could be made", e);
        }
    }

    /** @param names host names and addresses that the server is reached by; the first that fits is also its subject */
    public ServingCertificate issueServing(List<String> names, Instant now, Duration life) {
        var subject = new X500NameBuilder()
                .addRDN(
                        BCStyle.CN,
                        names.stream()
                                .filter(name -> name.length() <= LONGEST_COMMON_NAME)
                                .findFirst()
                                .orElse("berth"))
                .build();
        var alternatives =
                new GeneralNames(names.stream().map(Authority::generalName).toArray(GeneralName[]::new));
        return issue(subject, KeyPurposeId.id_kp_serverAuth, Extension.subjectAlternativeName, alternatives, now, life);
    }

    /** A client's certificate as Kubernetes reads it: the common name is the user, the organisations are its groups. */
    public ServingCertificate issueClient(String user, List<String> groups, Instant now, Duration life) {
        var subject = new X500NameBuilder();
        groups.forEach(group -> subject.addRDN(BCStyle.O, group));
        return issue(
                subject.addRDN(BCStyle.CN, user).build(),
                KeyPurposeId.id_kp_clientAuth,
                Extension.basicConstraints,
                new BasicConstraints(false),
                now,
                life);
    }

    private ServingCertificate issue(
            X500Name subject,
            KeyPurposeId purpose,
            ASN1ObjectIdentifier extension,
            ASN1Encodable value,
            Instant now,
            Duration life) {
        var pair = newKeyPair();
        try {
            var issuer = new JcaX509CertificateHolder(certificate).getSubject();
            var builder = builder(issuer, newSerial(), now, life, subject, pair.getPublic())
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate.getPublicKey()))
                    .addExtension(extension, false, value);
            return new ServingCertificate(pair.getPrivate(), List.of(sign(builder, key)));
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("no certificate could be made for " + subject, e);
        }
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, BigInteger serial, Instant now, Duration life, X500Name subject, PublicKey key) {
        return new JcaX509v3CertificateBuilder(
                issuer, serial, Date.from(now.minus(BACKDATED)), Date.from(now.plus(life)), subject, key);
    }

    private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException("cannot sign", e);
        }
    }

    private static GeneralName generalName(String name) {
        boolean address = name.indexOf(':') >= 0 || name.matches("\\d+\\.\\d+\\.\\d+\\.\\d+");
        return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name);
    }

    private static KeyPair newKeyPair() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot make keys", e);
        }
    }

    private static BigInteger newSerial() {
        return new BigInteger(126, RANDOM).setBit(126);
    }
}
