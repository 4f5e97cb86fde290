package dev.berth.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WholeAnswerTest {
    private static final byte[] BODY = "whole".getBytes(StandardCharsets.UTF_8);

    private final CountDownLatch over = new CountDownLatch(1);
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/whole", exchange -> {
            exchange.sendResponseHeaders(200, BODY.length);
            exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.createContext("/half", this::sayHalf);
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        client.shutdownNow();
        server.stop(0);
    }

    private void sayHalf(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 2L * BODY.length);
        exchange.getResponseBody().write(BODY);
        exchange.getResponseBody().flush();
        try {
            var _ = over.await(50, TimeUnit.SECONDS);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private HttpResponse<String> ask(String path, Duration within, long most) throws IOException, InterruptedException {
        var url =
                URI.create("http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path));
        return WholeAnswer.of(client, HttpRequest.newBuilder(url).build(), within, most);
    }

    @Test
    void anAnswerComesWithItsBody() throws IOException, InterruptedException {
        assertThat(ask("/whole", Duration.ofSeconds(30), 100).body()).isEqualTo("whole");
    }

    @Test
    void aBodyThatDoesNotEndIsNotWaitedFor() {
        assertThatThrownBy(() -> ask("/half", Duration.ofMillis(200), 100))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("/half within 200 ms");
    }

    @Test
    void aBodyThatIsTooLargeIsNotTaken() {
        assertThatThrownBy(() -> ask("/whole", Duration.ofSeconds(30), 3))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void whoIsAwayIsSaidToBe() {
        server.stop(0);

        assertThatThrownBy(() -> ask("/whole", Duration.ofSeconds(30), 100)).isInstanceOf(IOException.class);
    }
}
