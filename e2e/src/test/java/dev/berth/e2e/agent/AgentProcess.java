package dev.berth.e2e.agent;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** {@code berth advisor agent} in a process of its own. */
final class AgentProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern PORT = Pattern.compile("advisor agent  127\\.0\\.0\\.1:(\\d+)");
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final GuardedProcess process;
    private final String address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private AgentProcess(GuardedProcess process, int port) {
        this.process = process;
        this.address = "http://127.0.0.1:" + port;
    }

    static AgentProcess start(Map<String, String> environment) {
        var log = E2eFolder.target("agent").resolve("agent-%d.log".formatted(NUMBERS.incrementAndGet()));
        var all = new HashMap<>(Map.of("SCHEDULER_HOST", "127.0.0.1", "SCHEDULER_RETENTION_OBSERVATIONS", "100000"));
        all.putAll(environment);
        delete(log);
        var process = BerthProcess.start(log, all, "database       ", "advisor", "agent", "--port=0");
        return new AgentProcess(process, port(log));
    }

    private static void delete(Path log) {
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int port(Path log) {
        try {
            var line = PORT.matcher(Files.readString(log));
            if (!line.find()) throw new AssertionError("the agent does not say where it listens");
            return Integer.parseInt(line.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The status of what came back; 0 if nothing did. */
    int observe(String job, String gpu, double seconds) throws InterruptedException {
        return observed("{\"job_type\": \"%s\", \"gpu_type\": \"%s\", \"measured_runtime_s\": %s}"
                .formatted(job, gpu, seconds));
    }

    /** A run that has a name. */
    int observe(String run, String job, String gpu, double seconds) throws InterruptedException {
        return observed("{\"job_id\": \"%s\", \"job_type\": \"%s\", \"gpu_type\": \"%s\", \"measured_runtime_s\": %s}"
                .formatted(run, job, gpu, seconds));
    }

    private int observed(String body) throws InterruptedException {
        try {
            return client.send(post("/v1/observe", body), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException gone) {
            return 0;
        }
    }

    /** The run time that is expected of the job on this GPU. */
    double expected(String job, String gpu) throws IOException, InterruptedException {
        var body = "{\"job_type\": \"%s\", \"candidate_gpu_types\": [\"%s\"]}".formatted(job, gpu);
        var reply = client.send(post("/v1/score", body), BodyHandlers.ofString());
        if (reply.statusCode() != 200) throw new AssertionError("no score: " + reply.body());
        return new JsonMapper().readTree(reply.body()).at("/terms/mu").asDouble();
    }

    private HttpRequest post(String path, String body) {
        return HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(20))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    boolean ready() {
        try {
            var request = HttpRequest.newBuilder(URI.create(address + "/readyz"))
                    .timeout(Duration.ofSeconds(20))
                    .build();
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException gone) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void awaitReady(boolean wanted) {
        Await.until(PATIENCE, () -> ready() == wanted, () -> "ready is not " + wanted + ": " + process.lastWords());
    }

    void kill() {
        process.kill();
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        client.shutdownNow();
        process.close();
    }
}
