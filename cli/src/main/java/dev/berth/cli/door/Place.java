package dev.berth.cli.door;

import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.tls.TlsSource;
import io.helidon.webserver.http.HttpRouting;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where a door listens.
 *
 * @param port 0 takes a free one
 * @param tls empty for plain HTTP
 */
public record Place(String address, int port, Optional<TlsSource> tls) {
    public static Place plain(String address, int port) {
        return new Place(address, port, Optional.empty());
    }

    public String scheme() {
        return tls.isPresent() ? "https" : "http";
    }

    /** As a person would write it, once it is known on which port it is served. */
    String url(int bound, String path) {
        return "%s://%s:%d%s".formatted(scheme(), address, bound, path);
    }

    Listener listener(String name, Consumer<HttpRouting.Builder> routes) {
        return new Listener(name, address, port, tls, Limits.DEFAULT, routes);
    }
}
