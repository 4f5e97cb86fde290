package dev.berth.kube.courier;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.helidon.common.tls.Tls;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webclient.http1.Http1Client;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;

/**
 * HTTP/1.1 on the caller's own thread, over connections that are kept: a third of the processor time that the same
 * request takes through fabric8 and java.net.http, which hand it from thread to thread.
 */
final class DirectTransport implements Transport {
    private static final int KEPT_CONNECTIONS = 128;

    private final Config config;
    private final String base;
    private final Http1Client client;

    private DirectTransport(Config config, Http1Client client) {
        this.config = config;
        this.base = base(config);
        this.client = client;
    }

    /** Empty where the settings ask for what only fabric8's client does. */
    static Optional<DirectTransport> of(Config config, Duration connect, Duration read) {
        if (proxied(config) || acting(config)) {
            return Optional.empty();
        }
        var builder = KeptConnections.client(connect, read, KEPT_CONNECTIONS);
        if (base(config).startsWith("https:")) {
            builder.tls(tls(config));
        }
        return Optional.of(new DirectTransport(config, builder.build()));
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

    private static Tls tls(Config config) {
        try {
            boolean anybody = config.isTrustCerts() || config.isDisableHostnameVerification();
            return Tls.builder()
                    .sslContext(SSLUtils.sslContext(config))
                    .endpointIdentificationAlgorithm(
                            anybody ? Tls.ENDPOINT_IDENTIFICATION_NONE : Tls.ENDPOINT_IDENTIFICATION_HTTPS)
                    .build();
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
        var asked = client.method(Method.create(request.method()))
                .uri(URI.create(base + request.path()))
                // A query is taken apart and put together again; a path that is as it must be need not be looked at.
                .skipUriEncoding(request.path().indexOf('?') < 0)
                .readTimeout(silence)
                .header(HeaderNames.ACCEPT, request.accept())
                .header(HeaderNames.USER_AGENT, config.getUserAgent());
        token().ifPresent(token -> asked.header(HeaderNames.AUTHORIZATION, "Bearer " + token));
        if (request.body().length > 0) {
            asked.header(HeaderNames.CONTENT_TYPE, request.mediaType());
        }
        try {
            var response = request.body().length > 0 ? asked.submit(request.body()) : asked.request();
            return new Flow(
                    response.status().code(),
                    response.headers().first(HeaderNames.CONTENT_TYPE),
                    response.headers().first(HeaderNames.DATE),
                    response.headers().first(HeaderNames.RETRY_AFTER),
                    response.entity().hasEntity() ? response.inputStream() : InputStream.nullInputStream(),
                    response::close);
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        } catch (RuntimeException broken) {
            // Helidon has many words for a connection that ends in the middle of an answer.
            throw new IOException(broken);
        }
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
        client.closeResource();
    }
}
