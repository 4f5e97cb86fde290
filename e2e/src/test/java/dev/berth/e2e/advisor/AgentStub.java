package dev.berth.e2e.advisor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An agent that answers, fails or dawdles as a story wants. */
final class AgentStub implements AutoCloseable {
    static final String ADVICE = """
            {"priority_score": 85, "gpu_selector": {"nodeSelector": {"gpu.nvidia.com/class": "A100-80GB"},
             "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]},
             "avoid_co_locate_with": ["train-llama"], "terms": {"chosen_gpu": "A100-80GB"}}""";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final HttpServer server;
    private volatile int status = 200;
    private volatile String reply = ADVICE;
    private volatile int delaySeconds;

    AgentStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            if (delaySeconds > 0 && closing.await(delaySeconds, TimeUnit.SECONDS)) {
                return;
            }
            var body = reply.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    void replies(int code, String body) {
        status = code;
        reply = body;
    }

    void takes(int seconds) {
        delaySeconds = seconds;
    }

    int asked() {
        return asked.get();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        stop();
    }

    /** Goes away at once, as an agent does that is stopped. */
    void stop() {
        // A story that stops the agent half-way closes it twice.
        if (closing.getCount() > 0) {
            closing.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
