package dev.berth.kube.courier;

import dev.berth.kube.http.KeptConnections;
import dev.berth.kube.http.Question;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * HTTP/1.1 on the caller's own thread, over connections that are kept: a third of the processor time that the same
 * request takes through fabric8 and java.net.http, which hand it from thread to thread.
 */
final class DirectTransport implements Transport {
    private static final int KEPT_CONNECTIONS = 128;

    private final Config config;
    /** What stands before every path, where the address has one. */
    private final String root;

    private final KeptConnections server;

    private DirectTransport(Config config, URI base, KeptConnections server) {
        this.config = config;
        this.root = Objects.requireNonNullElse(base.getRawPath(), "");
        this.server = server;
    }

    /** Empty where the settings ask for what only fabric8's client does. */
    static Optional<DirectTransport> of(Config config, Duration connect) {
        if (proxied(config) || acting(config)) {
            return Optional.empty();
        }
        var base = URI.create(base(config));
        var security = "https".equals(base.getScheme())
                ? Optional.of(security(config))
                : Optional.<KeptConnections.Security>empty();
        return Optional.of(
                new DirectTransport(config, base, new KeptConnections(base, security, connect, KEPT_CONNECTIONS)));
    }

    private static boolean proxied(Config config) {
        return config.getHttpProxy() != null || config.getHttpsProxy() != null;
    }

    /** As somebody else, or with a password. */
    private static boolean acting(Config config) {
        var groups = config.getImpersonateGroups();
        return config.getImpersonateUsername() != null
                || (groups != null && groups.length > 0)
                || config.getUsername() != null;
    }

    private static KeptConnections.Security security(Config config) {
        try {
            boolean anybody = config.isTrustCerts() || config.isDisableHostnameVerification();
            return new KeptConnections.Security(SSLUtils.sslContext(config).getSocketFactory(), !anybody);
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalArgumentException("the certificates for the API server cannot be used", unusable);
        }
    }

    /** The address without a slash at its end. */
    static String base(Config config) {
        return config.getMasterUrl().replaceFirst("/+$", "");
    }

    @Override
    public Flow open(Request request, Duration silence) throws IOException {
        var question = Question.of(request.method(), root + request.path())
                .header("Accept", request.accept())
                .header("User-Agent", config.getUserAgent());
        token().ifPresent(token -> question.header("Authorization", "Bearer " + token));
        var answer = server.ask(question.body(request.mediaType(), request.body()), silence);
        return new Flow(
                answer.code(), answer.contentType(), answer.date(), answer.retryAfter(), answer.body(), answer::close);
    }

    /** As of now: files with tokens change, and fabric8 renews what a program gave. */
    private Optional<String> token() {
        if (config.getOauthTokenProvider() != null) {
            return Optional.ofNullable(config.getOauthTokenProvider().getToken());
        }
        return Optional.ofNullable(config.getOauthToken()).or(() -> Optional.ofNullable(config.getAutoOAuthToken()));
    }

    @Override
    public void close() {
        server.close();
    }
}
