package dev.berth.advisor.webhook;

import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** An agent that answers what the test wants, and remembers what it was asked. */
final class AgentStub implements AutoCloseable {
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final HttpServer server;
    private volatile int status = 200;
    private volatile String reply = "{}";
    private volatile boolean silent;

    AgentStub() {
        server = HttpServer.start(List.of(new Listener(
                "agent", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, routes -> {
                    routes.post("/v1/score", (request, response) -> {
                        asked.add(request.content().as(String.class));
                        if (silent) {
                            var _ = closing.await(20, TimeUnit.SECONDS);
                        }
                        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
                        response.status(Status.create(status)).send(reply);
                    });
                    routes.get("/healthz", (_, response) -> response.send("{}"));
                })));
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.port("agent"));
    }

    AgentStub replies(int code, String body) {
        status = code;
        reply = body;
        return this;
    }

    /** Takes questions and keeps its answer to itself. */
    void fallSilent() {
        silent = true;
    }

    List<String> asked() {
        return asked;
    }

    @Override
    public void close() {
        closing.countDown();
        server.close();
    }
}
