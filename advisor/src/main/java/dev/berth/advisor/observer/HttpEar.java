package dev.berth.advisor.observer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.advisor.ask.AgentAddress;
import dev.berth.advisor.model.Observation;
import dev.berth.web.WholeAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent elsewhere: {@code POST /v1/observe}. */
public final class HttpEar implements Ear, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEar.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int LONGEST_ANSWER = 1 << 20;
    private static final int OK = 200;

    private final URI observe;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    public HttpEar(URI agent) {
        this.observe = new AgentAddress(agent).at("/v1/observe");
    }

    @Override
    public Reception tell(Observation observation) {
        var request = HttpRequest.newBuilder(observe)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body(observation)))
                .build();
        try {
            var answer = WholeAnswer.of(client, request, PATIENCE, LONGEST_ANSWER);
            if (answer.statusCode() == OK) {
                return Reception.TAKEN;
            }
            LOG.warn(
                    "observation is not taken: agent={} status={} answer={}",
                    observe,
                    answer.statusCode(),
                    answer.body());
            return answer.statusCode() == 400 || answer.statusCode() == 422 ? Reception.REFUSED : Reception.LATER;
        } catch (IOException away) {
            LOG.warn("Scheduler unavailable: the observation waits: agent={} reason={}", observe, away.toString());
            return Reception.LATER;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Reception.LATER;
        }
    }

    private static String body(Observation observation) {
        var body = JsonNodeFactory.instance
                .objectNode()
                .put("job_type", observation.jobType())
                .put("gpu_type", observation.gpuType())
                .put("measured_runtime_s", observation.seconds())
                .put("success", true);
        observation.run().ifPresent(run -> body.put("job_id", run));
        var colocated = body.putArray("colocated_job_types");
        observation.colocated().forEach(colocated::add);
        return body.toString();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
