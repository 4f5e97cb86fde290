package dev.berth.extender;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.extender.place.OtherVerbs;
import dev.berth.extender.place.Predicates;
import dev.berth.extender.wire.FilterReply;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.extender.wire.VolcanoReply;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The paths that schedulers call. Whatever the body is, the reply has the shape that the caller decodes. */
final class SchedulerRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(SchedulerRoutes.class);
    private static final String OWN_ERROR = "an error of the extender's own; its log has the cause";
    private static final long LARGEST_AT_ONCE = 16L << 20;
    private static final List<String> GETS =
            List.of("/version", "/hello", "/quota", "/healthz", "/livez", "/readyz", "/metrics");
    private static final List<String> POSTS = List.of(
            "/scheduler/predicates",
            "/scheduler/vpredicates",
            "/scheduler/priorities",
            "/scheduler/bind",
            "/scheduler/preempt");

    private final Predicates predicates;
    private final OtherVerbs verbs;
    private final VolcanoReply volcano;
    private final String version;

    SchedulerRoutes(Predicates predicates, OtherVerbs verbs, VolcanoReply volcano, String version) {
        this.predicates = predicates;
        this.verbs = verbs;
        this.volcano = volcano;
        this.version = version;
    }

    void addTo(HttpRouting.Builder routes) {
        routes.post("/scheduler/predicates", answer(predicates::filter, FilterReply::error));
        routes.post("/scheduler/vpredicates", answer(predicates::volcano, volcano::error));
        routes.post("/scheduler/bind", answer(verbs::bind, SchedulerRoutes::bindError));
        routes.post("/scheduler/preempt", answer(verbs::preempt, _ -> bytes("{\"NodeNameToMetaVictims\":{}}")));
        routes.post("/scheduler/priorities", this::prioritize);
        routes.get("/version", (_, response) -> plain(response, Status.OK_200, version));
        routes.get("/hello", (_, response) -> plain(response, Status.OK_200, "Hello, World!"));
        POSTS.forEach(path -> routes.any(path, onlyMethods("OPTIONS, POST")));
    }

    /** To be added last: every path that nothing else serves. */
    static void addRestTo(HttpRouting.Builder routes) {
        List.of("/version", "/hello", "/quota").forEach(path -> routes.any(path, onlyMethods("GET, OPTIONS")));
        routes.any(SchedulerRoutes::rest);
    }

    private static Handler answer(UnaryOperator<byte[]> verb, Function<String, byte[]> error) {
        return (request, response) -> {
            byte[] reply;
            try {
                reply = verb.apply(body(request));
            } catch (HttpException unreadable) {
                // A body in pieces turns out to be too large only on the way: the reply's shape stays.
                reply = error.apply(String.valueOf(unreadable.getMessage()));
            } catch (RuntimeException bug) {
                LOG.error("question failed: path={}", request.path().path(), bug);
                reply = error.apply(OWN_ERROR);
            }
            json(response, reply);
        };
    }

    private void prioritize(ServerRequest request, ServerResponse response) {
        try {
            json(response, verbs.prioritize(body(request)));
        } catch (MalformedRequestException malformed) {
            LOG.warn("priorities were asked for in a way that makes no sense: {}", malformed.problem());
            response.status(Status.BAD_REQUEST_400);
            response.send();
        }
    }

    private static byte[] body(ServerRequest request) {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        var length = request.headers().contentLength();
        if (length.isEmpty() || length.getAsLong() > LARGEST_AT_ONCE) {
            return request.content().as(byte[].class);
        }
        // Nodes are megabytes: they are read into their place, not gathered piece by piece and copied.
        var body = new byte[(int) length.getAsLong()];
        try (var in = request.content().inputStream()) {
            int read = in.readNBytes(body, 0, body.length);
            return read == body.length ? body : Arrays.copyOf(body, read);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static byte[] bindError(String message) {
        return bytes(JsonNodeFactory.instance.objectNode().put("Error", message).toString());
    }

    private static Handler onlyMethods(String allowed) {
        return (request, response) -> {
            response.header(HeaderNames.ALLOW, allowed);
            if (request.prologue().method().text().equals("OPTIONS")) {
                response.send();
            } else {
                plain(response, Status.METHOD_NOT_ALLOWED_405, "Method Not Allowed");
            }
        };
    }

    /** A path that differs by its letter case or a slash at its end is shown the way; others are not known. */
    private static void rest(ServerRequest request, ServerResponse response) {
        var path = request.path().path();
        var meant = path.toLowerCase(Locale.ROOT).replaceAll("/+", "/").replaceAll("(?<=.)/$", "");
        if (!meant.equals(path) && (GETS.contains(meant) || POSTS.contains(meant))) {
            response.header(HeaderNames.LOCATION, meant);
            response.status(Status.PERMANENT_REDIRECT_308);
            response.send();
        } else {
            plain(response, Status.NOT_FOUND_404, "404 page not found");
        }
    }

    private static void json(ServerResponse response, byte[] body) {
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(body);
    }

    private static void plain(ServerResponse response, Status status, String text) {
        response.status(status);
        response.headers().set(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
        response.send(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
