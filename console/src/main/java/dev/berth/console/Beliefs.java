package dev.berth.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.web.WholeAnswer;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;

/** What the advisor's agent believes, asked of it when somebody looks. */
public final class Beliefs {
    /** For a console that knows of no agent. */
    public static final Beliefs NONE = new Beliefs(Optional.empty());

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int LONGEST_ANSWER = 16 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Optional<URI> beliefs;

    private Beliefs(Optional<URI> beliefs) {
        this.beliefs = beliefs;
    }

    /** @param agent its address, such as {@code http://scheduler-agent:8080/}; a path in it is kept */
    public static Beliefs of(URI agent) {
        return new Beliefs(Optional.of(URI.create(agent.toString().replaceFirst("/+$", "") + "/v1/beliefs")));
    }

    /** As the agent says it; without an agent there is no model. */
    JsonNode now() {
        if (beliefs.isEmpty()) {
            var none = JsonNodeFactory.instance.objectNode();
            none.putArray("beliefs");
            return none;
        }
        var asked = beliefs.get();
        // Somebody looks now and then: a client that waits for that would cost more than a new one.
        var http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .build();
        try {
            var answer = WholeAnswer.of(http, HttpRequest.newBuilder(asked).build(), PATIENCE, LONGEST_ANSWER);
            if (answer.statusCode() != 200) {
                throw unheard("answers " + answer.statusCode());
            }
            return JSON.readTree(answer.body());
        } catch (IOException problem) {
            throw unheard("does not answer");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unheard("was not waited for");
        } finally {
            http.shutdownNow();
        }
    }

    private static HttpException unheard(String how) {
        return new HttpException("the advisor's agent " + how, Status.BAD_GATEWAY_502, true);
    }
}
