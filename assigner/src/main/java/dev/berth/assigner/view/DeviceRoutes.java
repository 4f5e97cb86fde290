package dev.berth.assigner.view;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code GET /devices}, and {@code GET /devices/stream}: server-sent events, first one {@code devices} with all of
 * them, then a {@code change} with those that look different, null for one that is gone.
 */
public final class DeviceRoutes {
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration GATHER = Duration.ofMillis(100);
    private static final Duration LIVENESS = Duration.ofMillis(500);
    private static final int MOST_STREAMS = 200;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final DeviceBoard board;
    private final AtomicInteger streams = new AtomicInteger();
    private volatile boolean closing;

    public DeviceRoutes(DeviceBoard board) {
        this.board = board;
    }

    public void addTo(HttpRouting.Builder routes) {
        routes.get("/devices", this::answer).get("/devices/stream", this::stream);
    }

    /** Ends the streams, so that a server that stops need not wait for them. */
    public void close() {
        closing = true;
        board.touch();
    }

    /** What {@code GET /devices} answers. */
    public ObjectNode all() {
        return object(board.devices());
    }

    private void answer(ServerRequest request, ServerResponse response) {
        response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
        response.send(all().toString());
    }

    private void stream(ServerRequest request, ServerResponse response) {
        if (streams.incrementAndGet() > MOST_STREAMS) {
            streams.decrementAndGet();
            throw new HttpException(
                    "%d streams are open, which is all that are served".formatted(MOST_STREAMS),
                    Status.SERVICE_UNAVAILABLE_503,
                    true);
        }
        response.headers().set(HeaderNames.CONTENT_TYPE, "text/event-stream");
        response.headers().set(HeaderNames.CACHE_CONTROL, "no-store");
        try (var out = response.outputStream()) {
            tell(out);
        } catch (IOException | UncheckedIOException gone) {
            // The reader has gone away, as readers do.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            streams.decrementAndGet();
        }
    }

    private void tell(OutputStream out) throws IOException, InterruptedException {
        long version = board.awaitOther(-1, Duration.ZERO);
        var known = board.devices();
        send(out, "event: devices\ndata: " + object(known) + "\n\n");
        long spoke = System.nanoTime();
        while (!closing) {
            long newest = board.awaitOther(version, LIVENESS);
            if (newest != version) {
                // A burst is one event.
                Thread.sleep(GATHER);
                version = board.awaitOther(-1, Duration.ZERO);
                var devices = board.devices();
                var difference = difference(known, devices);
                known = devices;
                if (!difference.isEmpty()) {
                    send(out, "event: change\ndata: " + difference + "\n\n");
                    spoke = System.nanoTime();
                }
            }
            if (System.nanoTime() - spoke > QUIET.toNanos()) {
                // Proxies close what is silent, and a reader that is gone is found out only by writing.
                send(out, ": still here\n\n");
                spoke = System.nanoTime();
            }
        }
    }

    private static ObjectNode difference(SortedMap<String, ObjectNode> before, SortedMap<String, ObjectNode> after) {
        var difference = JSON.objectNode();
        after.forEach((uuid, row) -> {
            if (!row.equals(before.get(uuid))) {
                difference.set(uuid, row);
            }
        });
        before.keySet().stream().filter(uuid -> !after.containsKey(uuid)).forEach(difference::putNull);
        return difference;
    }

    private static ObjectNode object(Map<String, ObjectNode> devices) {
        var object = JSON.objectNode();
        devices.forEach(object::set);
        return object;
    }

    private static void send(OutputStream out, String event) throws IOException {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
