package dev.berth.pinner.scheduler;

import dev.berth.web.ErrorReplies;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/** {@code /health} and {@code /ready}, in the words of the document. */
public final class HealthRoutes {
    private final Supplier<Optional<String>> notReady;

    /** @param notReady what keeps the scheduler from working, if anything does */
    public HealthRoutes(Supplier<Optional<String>> notReady) {
        this.notReady = notReady;
    }

    public void addTo(HttpRouting.Builder routes) {
        serve(routes, "/health", (request, response) -> send(request, response, "healthy"));
        serve(routes, "/ready", (request, response) -> {
            if (notReady.get().isPresent()) {
                response.status(Status.SERVICE_UNAVAILABLE_503);
                send(request, response, "not ready");
            } else {
                send(request, response, "ready");
            }
        });
    }

    private static void serve(HttpRouting.Builder routes, String path, Handler handler) {
        routes.get(path, handler)
                .head(path, handler)
                .options(path, (request, response) -> {
                    response.headers().set(HeaderNames.ALLOW, "HEAD, GET, OPTIONS");
                    response.send();
                })
                .any(path, ErrorReplies.onlyMethods("HEAD", "GET", "OPTIONS"));
    }

    private static void send(ServerRequest request, ServerResponse response, String status) {
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        if (request.prologue().method().equals(Method.HEAD)) {
            response.send();
        } else {
            response.send("{\"service\":\"gpu-scheduler\",\"status\":\"%s\"}\n"
                    .formatted(status)
                    .getBytes(StandardCharsets.UTF_8));
        }
    }
}
