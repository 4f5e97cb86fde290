package dev.berth.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BeliefsTest {
    private HttpServer agent;
    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        agent.createContext("/v1/beliefs", exchange -> {
            var body = "{\"model\":\"bayes\",\"beliefs\":[]}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        agent.start();
    }

    @AfterEach
    void stop() {
        agent.stop(0);
    }

    private Beliefs beliefs() {
        return Beliefs.of(
                URI.create("http://127.0.0.1:%d/".formatted(agent.getAddress().getPort())));
    }

    @Test
    void theAgentIsAsked() {
        assertThat(beliefs().now().path("model").asText()).isEqualTo("bayes");
    }

    @Test
    void anAgentThatFailsIsNamed() {
        status = 500;

        assertThatThrownBy(() -> beliefs().now()).hasMessage("the advisor's agent answers 500");
    }

    @Test
    void anAgentThatIsAwayIsNamed() {
        var beliefs = beliefs();
        agent.stop(0);

        assertThatThrownBy(beliefs::now).hasMessage("the advisor's agent does not answer");
    }
}
