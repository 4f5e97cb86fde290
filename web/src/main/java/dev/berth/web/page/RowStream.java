package dev.berth.web.page;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
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
import java.util.function.Supplier;

/**
 * Rows as server-sent events: first one event with all of them, then a {@code change} with those that look different,
 * null for one that is gone.
 */
public final class RowStream implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration GATHER = Duration.ofMillis(100);
    private static final Duration LIVENESS = Duration.ofMillis(500);
    private static final int MOST_STREAMS = 200;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final String first;
    private final Changes changes;
    private final Supplier<SortedMap<String, ObjectNode>> rows;
    private final AtomicInteger streams = new AtomicInteger();
    private volatile boolean closing;

    /** @param first what the event with all rows is called */
    public RowStream(String first, Changes changes, Supplier<SortedMap<String, ObjectNode>> rows) {
        this.first = first;
        this.changes = changes;
        this.rows = rows;
    }

    /** All rows as one object. */
    public ObjectNode all() {
        return object(rows.get());
    }

    /** Ends the streams, so that a server that stops need not wait for them. */
    @Override
    public void close() {
        closing = true;
        changes.touch();
    }

    /** Answers until the reader goes away. */
    public void answer(ServerRequest request, ServerResponse response) {
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
        long version = changes.awaitOther(-1, Duration.ZERO);
        var known = rows.get();
        send(out, "event: %s\ndata: %s\n\n".formatted(first, object(known)));
        long spoke = System.nanoTime();
        while (!closing) {
            long newest = changes.awaitOther(version, LIVENESS);
            if (newest != version) {
                // A burst is one event.
                Thread.sleep(GATHER);
                version = changes.awaitOther(-1, Duration.ZERO);
                var now = rows.get();
                var difference = difference(known, now);
                known = now;
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
        after.forEach((key, row) -> {
            if (!row.equals(before.get(key))) {
                difference.set(key, row);
            }
        });
        before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(difference::putNull);
        return difference;
    }

    private static ObjectNode object(Map<String, ObjectNode> rows) {
        var object = JSON.objectNode();
        rows.forEach(object::set);
        return object;
    }

    private static void send(OutputStream out, String event) throws IOException {
        out.write(event.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
