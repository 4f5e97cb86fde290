package dev.berth.apiserver;

import dev.berth.apiserver.admission.User;
import dev.berth.web.tls.TlsSource;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a server is to run.
 *
 * @param bindAddress loopback unless someone says otherwise
 * @param port 0 takes a free one
 * @param dataDir where the state is kept over restarts; empty for in memory only
 * @param controllers whether the server runs the controllers that turn workloads into pods and collect what lost its
 *     owner; off where a kube-controller-manager does
 * @param tls how it proves itself; empty for plain HTTP
 * @param tokens who comes in by which bearer token; where there are none and no client certificates, everybody does;
 *     the first is the one that kubeconfigs carry
 * @param certificateAuthority PEM of the authority that signed its certificate, for kubeconfigs; empty for none
 */
public record ApiServerSettings(
        String bindAddress,
        int port,
        Optional<Path> dataDir,
        boolean controllers,
        Optional<TlsSource> tls,
        Map<String, User> tokens,
        String certificateAuthority) {
    public static final int DEFAULT_PORT = 55441;

    public ApiServerSettings {
        tokens = Collections.unmodifiableMap(new LinkedHashMap<>(tokens));
    }

    public static ApiServerSettings defaults() {
        return new ApiServerSettings("127.0.0.1", DEFAULT_PORT, Optional.empty(), true, Optional.empty(), Map.of(), "");
    }

    public ApiServerSettings withPort(int other) {
        return new ApiServerSettings(bindAddress, other, dataDir, controllers, tls, tokens, certificateAuthority);
    }

    public ApiServerSettings withBindAddress(String other) {
        return new ApiServerSettings(other, port, dataDir, controllers, tls, tokens, certificateAuthority);
    }

    public ApiServerSettings withDataDir(Path directory) {
        return new ApiServerSettings(
                bindAddress, port, Optional.of(directory), controllers, tls, tokens, certificateAuthority);
    }

    public ApiServerSettings withoutControllers() {
        return new ApiServerSettings(bindAddress, port, dataDir, false, tls, tokens, certificateAuthority);
    }

    /** @param authority PEM of who signed the certificate; empty when clients know it anyway */
    public ApiServerSettings withTls(TlsSource source, String authority) {
        return new ApiServerSettings(bindAddress, port, dataDir, controllers, Optional.of(source), tokens, authority);
    }

    public ApiServerSettings withTokens(Map<String, User> users) {
        return new ApiServerSettings(bindAddress, port, dataDir, controllers, tls, users, certificateAuthority);
    }
}
