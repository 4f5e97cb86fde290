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
        says("/v1/beliefs", "bayes");
        says("/behind/a/proxy/v1/beliefs", "ema");
        agent.start();
    }

    @AfterEach
    void stop() {
        agent.stop(0);
    }

    private void says(String path, String model) {
        agent.createContext(path, exchange -> {
            var body = "{\"model\":\"%s\",\"beliefs\":[]}".formatted(model).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    private Beliefs beliefs() {
        return beliefs("/");
    }

    private Beliefs beliefs(String path) {
        return Beliefs.of(
                URI.create("http://127.0.0.1:%d%s".formatted(agent.getAddress().getPort(), path)));
    }

    @Test
    void theAgentIsAsked() {
        assertThat(beliefs().now().path("model").asText()).isEqualTo("bayes");
    }

    @Test
    void aPathOfItsAddressIsKept() {
        assertThat(beliefs("/behind/a/proxy").now().path("model").asText()).isEqualTo("ema");
        assertThat(beliefs("/behind/a/proxy/").now().path("model").asText()).isEqualTo("ema");
        assertThat(beliefs("").now().path("model").asText()).isEqualTo("bayes");
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
