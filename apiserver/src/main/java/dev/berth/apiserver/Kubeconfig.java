package dev.berth.apiserver;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The file by which clients find and trust a server. */
final class Kubeconfig {
    private Kubeconfig() {}

    static String of(String url, ApiServerSettings settings) {
        String authority = settings.certificateAuthority();
        String trust = authority.isEmpty()
                ? ""
                : "\n    certificate-authority-data: "
                        + Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8));
        String user = settings.tokens().keySet().stream()
                .findFirst()
                .map(token -> "\n    token: '" + token.replace("'", "''") + "'")
                .orElse(" {}");
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: berth
                  cluster:
                    server: %s%s
                contexts:
                - name: berth
                  context:
                    cluster: berth
                    user: berth
                current-context: berth
                users:
                - name: berth
                  user:%s
                """.formatted(url, trust, user);
    }
}
