package dev.berth.kube.courier;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.helidon.common.tls.Tls;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webclient.api.DnsAddressLookup;
import io.helidon.webclient.http1.Http1Client;
import io.helidon.webclient.http1.Http1ClientRequest;
import io.helidon.webclient.spi.DnsResolver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;

/**
 * HTTP/1.1 on the caller's own thread, over connections that are kept: a third of the processor time that the same
 * request takes through fabric8 and java.net.http, which hand it from thread to thread.
 */
final class DirectTransport implements Transport {
    static final String JSON = "application/json";

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
        var builder = Http1Client.builder()
                .connectTimeout(connect)
                .readTimeout(read)
                .followRedirects(false)
                .sendExpectContinue(false)
                .shareConnectionCache(false)
                .connectionCacheSize(KEPT_CONNECTIONS)
                .servicesDiscoverServices(false)
                .dnsResolver(new AsWritten());
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

    /**
     * An address that is still called what the settings call it. Of one without a name Helidon asks the name, and would
     * then look for that name in the certificate.
     */
    private static final class AsWritten implements DnsResolver {
        @Override
        public InetAddress resolveAddress(String host, DnsAddressLookup lookup) {
            try {
                return InetAddress.getByAddress(
                        host, InetAddress.getByName(host).getAddress());
            } catch (UnknownHostException unknown) {
                throw new UncheckedIOException(unknown);
            }
        }
    }

    /** The address without a slash at its end. */
    static String base(Config config) {
        return config.getMasterUrl().replaceFirst("/+$", "");
    }

    @Override
    public Answer send(Request request) throws IOException {
        var asked = client.method(Method.create(request.method()))
                .uri(URI.create(base + request.path()))
                .skipUriEncoding(true)
                .header(HeaderNames.ACCEPT, JSON)
                .header(HeaderNames.USER_AGENT, config.getUserAgent());
        token().ifPresent(token -> asked.header(HeaderNames.AUTHORIZATION, "Bearer " + token));
        try {
            return answer(asked, request);
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        } catch (RuntimeException broken) {
            // Helidon has many words for a connection that ends in the middle of an answer.
            throw new IOException(broken);
        }
    }

    private static Answer answer(Http1ClientRequest asked, Request request) throws IOException {
        if (request.body().length > 0) {
            asked.header(HeaderNames.CONTENT_TYPE, request.mediaType());
        }
        try (var response = request.body().length > 0 ? asked.submit(request.body()) : asked.request()) {
            byte[] body = response.entity().hasEntity() ? response.inputStream().readAllBytes() : new byte[0];
            return new Answer(
                    response.status().code(),
                    response.headers().first(HeaderNames.DATE),
                    response.headers().first(HeaderNames.RETRY_AFTER),
                    body);
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
