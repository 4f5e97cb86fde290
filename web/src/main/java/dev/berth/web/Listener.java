package dev.berth.web;

import dev.berth.web.tls.TlsSource;
import io.helidon.webserver.http.HttpRouting;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One address that a server listens on.
 *
 * @param name how {@link HttpServer#port} and the logs call it
 * @param port 0 takes a free one
 * @param tls empty for plain HTTP
 * @param routes called once at start; Helidon's own requests and responses go through unwrapped
 * @param errors how a refusal looks on this listener
 */
public record Listener(
        String name,
        String bindAddress,
        int port,
        Optional<TlsSource> tls,
        Limits limits,
        Consumer<HttpRouting.Builder> routes,
        ErrorBody errors) {

    public Listener {
        if (name.isBlank()) {
            throw new IllegalArgumentException("a listener needs a name");
        }
        if (bindAddress.isBlank()) {
            throw new IllegalArgumentException("listener " + name + " needs an address to bind to");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("listener " + name + ": port must be between 0 and 65535, not " + port);
        }
    }

    public Listener(
            String name,
            String bindAddress,
            int port,
            Optional<TlsSource> tls,
            Limits limits,
            Consumer<HttpRouting.Builder> routes) {
        this(name, bindAddress, port, tls, limits, routes, ErrorBody.MESSAGE);
    }
}
