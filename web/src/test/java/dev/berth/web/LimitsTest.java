package dev.berth.web;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.web.tls.SelfSigned;
import dev.berth.web.tls.TlsSource;
import io.helidon.webserver.http.HttpRouting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Limits QUICK = Limits.DEFAULT.withTimeouts(PATIENCE, SHORT, PATIENCE);

    @Test
    void aSlowSenderOfABodyIsCutOffWith408() throws Exception {
        try (var server = serve(QUICK, LimitsTest::echo)) {
            var answer = raw(server, "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");

            assertThat(answer)
                    .startsWith("HTTP/1.1 408")
                    .endsWith("{\"code\":408,\"message\":\"the request's body did not arrive within 300 ms\"}");
        }
    }

    @Test
    void aSenderThatTricklesIsCutOffToo() throws Exception {
        try (var server = serve(QUICK, LimitsTest::echo);
                var socket = connect(server)) {
            socket.getOutputStream().write(ascii("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"));
            var trickle = Thread.ofVirtual().start(() -> {
                try {
                    while (!Thread.currentThread().isInterrupted()) {
                        socket.getOutputStream().write('x');
                        Thread.sleep(20);
                    }
                } catch (IOException | InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            });

            assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 408 Request Timeout");
            trickle.interrupt();
        }
    }

    @Test
    void aSlowStreamOfHttp2IsAnswered408AndItsNeighboursLive() throws Exception {
        var cutOff = new CountDownLatch(1);
        try (var server = serve(QUICK, routes -> {
                    echo(routes);
                    routes.post("/slow", (request, _) -> {
                        try {
                            request.content().as(byte[].class);
                        } finally {
                            cutOff.countDown();
                        }
                    });
                });
                var client = HttpClient.newHttpClient()) {
            // An upgrade needs a request without a body; the connection is HTTP/2 from then on.
            client.send(request(server, "/hello").build(), ofString());

            // The client looks at the answer when it has sent the body, so the body ends once the server has given up.
            var slow = client.send(
                    request(server, "/slow")
                            .POST(BodyPublishers.ofInputStream(() -> new Stalling(cutOff)))
                            .build(),
                    ofString());

            assertThat(slow.statusCode()).isEqualTo(408);
            assertThat(slow.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(client.send(request(server, "/hello").build(), ofString())
                            .body())
                    .isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aBodyThatIsAnnouncedTooLargeIsRefusedWith413(HttpClient.Version version) throws Exception {
        try (var server = serve(Limits.DEFAULT.withMaxBodyBytes(1000), LimitsTest::echo);
                var client = HttpClient.newBuilder().version(version).build()) {
            client.send(request(server, "/hello").build(), ofString());

            var response = client.send(
                    request(server, "/echo")
                            .POST(BodyPublishers.ofByteArray(new byte[5_000_000]))
                            .build(),
                    ofString());

            assertThat(response.statusCode()).isEqualTo(413);
            assertThat(response.body()).contains("larger than the limit of 1000 bytes");
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aBodyOfUnknownLengthIsRefusedWhenItGrowsTooLarge(HttpClient.Version version) throws Exception {
        try (var server = serve(Limits.DEFAULT.withMaxBodyBytes(1000), LimitsTest::echo);
                var client = HttpClient.newBuilder().version(version).build()) {
            client.send(request(server, "/hello").build(), ofString());

            var response = client.send(
                    request(server, "/echo")
                            .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[5_000])))
                            .build(),
                    ofString());

            assertThat(response.statusCode()).isEqualTo(413);
        }
    }

    @Test
    void aClientThatAsksFirstIsRefusedBeforeItSends() throws Exception {
        try (var server = serve(Limits.DEFAULT.withMaxBodyBytes(10), LimitsTest::echo)) {
            assertThat(raw(
                            server,
                            "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n"))
                    .startsWith("HTTP/1.1 413");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "})
    void aClientThatNeverFinishesItsHeadersIsClosed(String start) throws Exception {
        var limits = Limits.DEFAULT.withTimeouts(SHORT, PATIENCE, PATIENCE);
        try (var server = serve(limits, LimitsTest::echo)) {
            assertThat(raw(server, start)).isEmpty();
        }
    }

    @Test
    void aClientThatNeverFinishesItsHandshakeIsClosed() throws Exception {
        var limits = Limits.DEFAULT.withTimeouts(SHORT, PATIENCE, PATIENCE);
        var tls = SelfSigned.create(List.of("127.0.0.1"), InstantSource.system());
        try (var server = serve(limits, Optional.of(tls), LimitsTest::echo)) {
            assertThat(raw(server, "\u0016")).isEmpty();
        }
    }

    @Test
    void anIdleConnectionIsClosed() throws Exception {
        var limits = Limits.DEFAULT.withTimeouts(PATIENCE, PATIENCE, SHORT);
        try (var server = serve(limits, LimitsTest::echo)) {
            assertThat(raw(server, "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")).endsWith("hello");
        }
    }

    @Test
    void moreRequestsThanAllowedAreAnswered503() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var server = serve(Limits.DEFAULT.withMaxConcurrentRequests(1), blocking(entered, release));
                var client = HttpClient.newHttpClient()) {
            var first = client.sendAsync(request(server, "/slow").build(), ofString());
            await(entered);

            var second = raw(server, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(second).startsWith("HTTP/1.1 503").contains("Retry-After: 1", "too many requests at once");
            release.countDown();
            assertThat(first.get().body()).isEqualTo("done");
        }
    }

    @Test
    void aThousandIdleConnectionsDoNotDisturbTheNextRequest() throws Exception {
        var idle = new ArrayList<Socket>();
        try (var server = serve(Limits.DEFAULT, LimitsTest::echo)) {
            for (int i = 0; i < 1_000; i++) {
                idle.add(connect(server));
            }
            awaitTrue(() -> server.openConnections("http") >= 1_000);

            assertThat(raw(server, "GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                    .endsWith("hello");
        } finally {
            for (var socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void whenThereAreTooManyTheLongestSilentMakesRoom() throws Exception {
        try (var server = serve(Limits.DEFAULT.withMaxConnections(3), LimitsTest::echo);
                var first = connect(server);
                var second = connect(server);
                var third = connect(server)) {
            for (var socket : List.of(first, second, third)) hello(socket);
            hello(first);

            try (var fourth = connect(server)) {
                hello(fourth);

                assertThat(second.getInputStream().read())
                        .as("was silent for longest")
                        .isEqualTo(-1);
                hello(first);
                hello(third);
            }
        }
    }

    @Test
    void whenAllConnectionsAreBusyAnotherOneIsClosed() throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var server = serve(Limits.DEFAULT.withMaxConnections(1), blocking(entered, release));
                var client = HttpClient.newHttpClient()) {
            var first = client.sendAsync(request(server, "/slow").build(), ofString());
            await(entered);

            try (var second = connect(server)) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
            release.countDown();
            assertThat(first.get().body()).isEqualTo("done");
        }
    }

    @Test
    void aListenerThatIsGivenLittleTakesFewer() {
        int plain = Capacity.ofListener(false, 1);

        assertThat(Capacity.ofListener(true, 1)).isBetween(16, plain);
        assertThat(Capacity.ofListener(false, 2)).isBetween(plain / 2 - 1, plain / 2);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void aRequestUnderWayIsFinishedWhileTheServerDrains(HttpClient.Version version) throws Exception {
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var server = serve(Limits.DEFAULT, blocking(entered, release));
                var client = HttpClient.newBuilder().version(version).build()) {
            var answer = client.sendAsync(request(server, "/slow").build(), ofString());
            await(entered);
            int port = server.port("http");
            var closing = Thread.ofVirtual().start(server::close);
            awaitTrue(server::draining);

            assertThatThrownBy(() -> raw(port, "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n", true))
                    .isInstanceOf(IOException.class);
            release.countDown();

            assertThat(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).body())
                    .isEqualTo("done");
            assertThat(closing.join(PATIENCE)).isTrue();
        }
    }

    @Test
    void aRequestThatDoesNotFinishIsCutOffAfterTheDrainTimeout() throws Exception {
        var entered = new CountDownLatch(1);
        try (var server = serve(Limits.DEFAULT.withDrainTimeout(SHORT), blocking(entered, new CountDownLatch(1)));
                var client = HttpClient.newHttpClient()) {
            var answer = client.sendAsync(request(server, "/slow").build(), ofString());
            await(entered);

            server.drain(Duration.ZERO);

            assertThatThrownBy(() -> answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void answersWithoutAnEndAreToldOfTheDrain() {
        var ended = new CountDownLatch(1);
        var server = serve(Limits.DEFAULT, LimitsTest::echo);
        server.onDrain(ended::countDown);

        server.close();

        assertThat(ended.getCount()).isZero();
    }

    private static void echo(HttpRouting.Builder routes) {
        routes.get("/hello", (_, response) -> response.send("hello"))
                .post(
                        "/echo",
                        (request, response) -> response.send(request.content().as(byte[].class)));
    }

    private static Consumer<HttpRouting.Builder> blocking(CountDownLatch entered, CountDownLatch release) {
        return routes -> routes.get("/slow", (_, response) -> {
            entered.countDown();
            await(release);
            response.send("done");
        });
    }

    private static HttpServer serve(Limits limits, Consumer<HttpRouting.Builder> routes) {
        return serve(limits, Optional.empty(), routes);
    }

    private static HttpServer serve(Limits limits, Optional<TlsSource> tls, Consumer<HttpRouting.Builder> routes) {
        return HttpServer.start(List.of(new Listener("http", "127.0.0.1", 0, tls, limits, routes)));
    }

    private static HttpRequest.Builder request(HttpServer server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port("http") + path))
                .timeout(PATIENCE);
    }

    private static Socket connect(HttpServer server) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port("http"));
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private static String raw(HttpServer server, String bytes) throws IOException {
        return raw(server.port("http"), bytes, false);
    }

    private static String raw(int port, String bytes, boolean mustAnswer) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(ascii(bytes));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (mustAnswer && answer.isEmpty()) {
                throw new IOException("closed without an answer");
            }
            return answer;
        }
    }

    private static void hello(Socket socket) throws IOException {
        socket.getOutputStream().write(ascii("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"));
        var answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\nhello")) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after %s", answer).isNotNegative();
            answer.append((char) next);
        }
        assertThat(answer.toString()).startsWith("HTTP/1.1 200");
    }

    private static String firstLine(Socket socket) throws IOException {
        var line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c >= 0 && c != '\r';
                c = socket.getInputStream().read()) {
            line.append(Character.toString(c));
        }
        return line.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("waited in vain");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void awaitTrue(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadline);
            Thread.sleep(5);
        }
    }

    /** Sends one byte and then nothing until it is told to end. */
    private static final class Stalling extends InputStream {
        private final CountDownLatch end;
        private boolean sent;

        Stalling(CountDownLatch end) {
            this.end = end;
        }

        @Override
        public int read() {
            if (!sent) {
                sent = true;
                return 'x';
            }
            await(end);
            return -1;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            int one = read();
            if (one < 0) {
                return -1;
            }
            buffer[offset] = (byte) one;
            return 1;
        }
    }
}
