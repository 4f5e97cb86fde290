package dev.berth.web.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The files of a page, which lie beside a class. The headers that go with them let the browser load nothing from
 * anywhere else, and run nothing that stands in the markup.
 */
public record PageFiles(Class<?> beside) {
    private static final HeaderName POLICY = HeaderNames.create("Content-Security-Policy");
    private static final HeaderName SNIFFING = HeaderNames.create("X-Content-Type-Options");
    private static final HeaderName REFERRER = HeaderNames.create("Referrer-Policy");
    private static final String ONLY_OURS = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /** Serves one of them under this path. */
    public void serve(HttpRouting.Builder routes, String path, String name) {
        var content = read(name);
        var type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "application/octet-stream");
        routes.get(path, (_, response) -> {
            headers(response, type);
            response.send(content);
        });
    }

    /** For an answer that is a page, or part of one. */
    public static void headers(ServerResponse response, String type) {
        response.header(HeaderNames.CONTENT_TYPE, type);
        response.header(HeaderNames.CACHE_CONTROL, "no-cache");
        response.header(POLICY, ONLY_OURS);
        response.header(SNIFFING, "nosniff");
        response.header(REFERRER, "no-referrer");
    }

    public String read(String name) {
        try (var in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
