package dev.berth.web;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.NotFoundException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where something that went wrong becomes an answer. A handler refuses by throwing Helidon's
 * {@link HttpException}, whose message goes to the client; anything else it throws is a 500 with a plain sentence, and
 * its cause goes to the log.
 */
public final class ErrorReplies {
    private static final Logger log = LoggerFactory.getLogger(ErrorReplies.class);
    private static final String INTERNAL =
            "the server could not answer because of an error of its own; its log has the cause";
    private static final String CLOSE = "close";

    private final ErrorBody body;

    ErrorReplies(ErrorBody body) {
        this.body = body;
    }

    /** The rest of a path that serves only some methods: put it behind the routes that serve them. */
    public static Handler onlyMethods(String... methods) {
        var allowed = String.join(", ", methods);
        return (request, _) -> {
            if (Arrays.asList(methods).contains(request.prologue().method().text())) {
                throw new NotFoundException("");
            }
            throw new HttpException(
                            request.prologue().method().text() + " is not supported at "
                                    + request.path().path() + "; use " + allowed,
                            Status.METHOD_NOT_ALLOWED_405,
                            true)
                    .header(HeaderValues.create(HeaderNames.ALLOW, allowed));
        };
    }

    void addTo(HttpRouting.Builder routing) {
        routing.error(Throwable.class, this::reply);
    }

    /** For what Helidon refuses before a request reaches the routes. */
    DirectHandlers directHandlers() {
        var handlers = DirectHandlers.builder();
        for (var type : DirectHandler.EventType.values()) {
            handlers.addHandler(type, new Direct());
        }
        return handlers.build();
    }

    void reply(ServerRequest request, ServerResponse response, Throwable thrown) {
        switch (thrown) {
            case NotFoundException e
            when isUnrouted(e) ->
                send(
                        request,
                        response,
                        Status.NOT_FOUND_404,
                        "nothing is served at " + request.path().path(),
                        true);
            case HttpException e -> {
                e.headers().forEach(response::header);
                send(request, response, e.status(), sentence(e), e.keepAlive());
            }
            case ServerConnectionException e -> throw new CloseConnectionException("the client is gone", e);
            case UncheckedIOException e -> throw new CloseConnectionException("the client is gone", e);
            default -> {
                log.error(
                        "method={} path={} failed",
                        request.prologue().method().text(),
                        request.path().path(),
                        thrown);
                send(request, response, Status.INTERNAL_SERVER_ERROR_500, INTERNAL, true);
            }
        }
    }

    private void send(
            ServerRequest request, ServerResponse response, Status status, String message, boolean keepAlive) {
        response.status(status);
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        if (!keepAlive && request.prologue().protocolVersion().startsWith("1")) {
            response.headers().set(HeaderNames.CONNECTION, CLOSE);
        }
        response.send(body.of(status.code(), message));
    }

    private static boolean isUnrouted(NotFoundException e) {
        return sentence(e).equals("Endpoint not found") || sentence(e).equals(Status.NOT_FOUND_404.reasonPhrase());
    }

    private static String sentence(HttpException e) {
        var message = e.getMessage();
        return message == null || message.isBlank() ? e.status().reasonPhrase() : message;
    }

    private final class Direct implements DirectHandler {
        @Override
        public TransportResponse handle(
                TransportRequest request,
                EventType type,
                Status status,
                ServerResponseHeaders headers,
                Throwable thrown,
                System.@Nullable Logger unused) {
            if (status.code() >= 500) {
                log.error("method={} path={} failed", request.method(), request.path(), thrown);
            } else {
                log.debug("method={} path={} refused", request.method(), request.path(), thrown);
            }
            return handle(request, type, status, headers, thrown.getMessage());
        }

        @Override
        public TransportResponse handle(
                TransportRequest request,
                EventType type,
                Status status,
                ServerResponseHeaders headers,
                @Nullable String message) {
            headers.set(HeaderValues.CONTENT_TYPE_JSON);
            return TransportResponse.builder()
                    .status(status)
                    .headers(headers)
                    .entity(body.of(status.code(), directSentence(status, message)))
                    .keepAlive(false)
                    .build();
        }
    }

    private static String directSentence(Status status, @Nullable String message) {
        if (status.code() >= 500 && status.code() != Status.HTTP_VERSION_NOT_SUPPORTED_505.code()) {
            return INTERNAL;
        }
        if (message == null || message.isBlank() || message.startsWith("Bad request, see server log")) {
            return "the request is not valid HTTP (" + status.reasonPhrase() + ")";
        }
        return message;
    }
}
