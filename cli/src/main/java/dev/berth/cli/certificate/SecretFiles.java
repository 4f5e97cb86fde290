package dev.berth.cli.certificate;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.web.tls.CertificateBundle;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate as files for other programs: a Secret for kubectl, a request for openssl. */
final class SecretFiles {
    static final String MANIFEST = "webhook-tls-secret.yaml";

    private SecretFiles() {}

    /** The Namespace comes first: whoever applies this before anything else is installed has none yet. */
    static String manifest(String namespace, String name, CertificateBundle bundle) {
        return """
                apiVersion: v1
                kind: Namespace
                metadata:
                  name: %s
                ---
                apiVersion: v1
                kind: Secret
                metadata:
                  name: %s
                  namespace: %s
                type: kubernetes.io/tls
                data:
                  ca.crt: %s
                  tls.crt: %s
                  tls.key: %s
                """.formatted(
                        namespace,
                        name,
                        namespace,
                        base64(bundle.authorities()),
                        base64(bundle.certificate()),
                        base64(bundle.key()));
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    /** {@code openssl req -new -key tls.key -config csr.conf} asks for the same names. */
    static String request(List<String> names) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < names.size(); i++) {
            lines.add("DNS.%d = %s".formatted(i + 1, names.get(i)));
        }
        return """
                [req]
                req_extensions = v3_req
                distinguished_name = req_distinguished_name
                prompt = no
                [req_distinguished_name]
                CN = %s
                [v3_req]
                basicConstraints = CA:FALSE
                keyUsage = nonRepudiation, digitalSignature, keyEncipherment
                extendedKeyUsage = serverAuth
                subjectAltName = @alt_names
                [alt_names]
                %s
                """.formatted(names.getFirst(), String.join("\n", lines));
    }
}
