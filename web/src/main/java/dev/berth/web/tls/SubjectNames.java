package dev.berth.web.tls;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The host names and addresses that a certificate is for. */
final class SubjectNames {
    private SubjectNames() {}

    static Set<String> of(X509Certificate certificate) {
        try {
            var names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? Set.of()
                    : names.stream().map(name -> Objects.toString(name.get(1))).collect(Collectors.toUnmodifiableSet());
        } catch (CertificateParsingException _) {
            return Set.of();
        }
    }
}
