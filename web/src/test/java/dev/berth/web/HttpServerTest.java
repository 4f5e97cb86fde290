package dev.berth.web;

import static java.net.http.HttpResponse.BodyHandlers.ofLines;
import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HttpServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private HttpServer server = HttpServer.start(List.of(listener("first", Limits.DEFAULT, _ -> {})));

    @AfterEach
    void stop() {
        client.shutdownNow();
        server.close();
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void bothProtocolsAreServed(HttpClient.Version version) throws Exception {
        serve(Limits.DEFAULT, routes -> routes.get("/", (_, response) -> response.send("hello")));

        var response = client.send(request("/").version(version).build(), ofString());

        assertThat(response.body()).isEqualTo("hello");
        assertThat(response.version()).isEqualTo(version);
    }

    @Test
    void parametersCanBeReadAsNumbers() throws Exception {
        serve(
                Limits.DEFAULT,
                routes -> routes.get("/pods/{index}", (request, response) -> {
                    int index = request.path()
                            .pathParameters()
                            .first("index")
                            .asInt()
                            .get();
                    response.send(
                            "" + (index + request.query().first("limit").asInt().get()));
                }));

        assertThat(get(port(), "/pods/3?limit=4").body()).isEqualTo("7");
    }

    @Test
    void eachListenerHasItsOwnRoutesAndPort() throws Exception {
        server.close();
        server = HttpServer.start(List.of(
                listener("one", Limits.DEFAULT, r -> r.get("/", (_, res) -> res.send("1"))),
                listener("two", Limits.DEFAULT, r -> r.get("/", (_, res) -> res.send("2")))));

        assertThat(get(server.port("one"), "/").body()).isEqualTo("1");
        assertThat(get(server.port("two"), "/").body()).isEqualTo("2");
    }

    @Test
    void aPortInUseIsNamedInTheErrorAndNowhereElse() {
        var taken = server.port("first");
        var logged = new CopyOnWriteArrayList<LogRecord>();
        Filter heard = record -> !logged.add(record);
        var helidon = Logger.getLogger("io.helidon.webserver.LoomServer");
        helidon.setFilter(heard);
        try {
            assertThatThrownBy(() -> HttpServer.start(List.of(
                            new Listener("api", "127.0.0.1", taken, Optional.empty(), Limits.DEFAULT, _ -> {}))))
                    .hasMessageContaining("listener api cannot listen on 127.0.0.1:" + taken);
        } finally {
            helidon.setFilter(null);
        }

        assertThat(logged).extracting(LogRecord::getLevel).doesNotContain(Level.SEVERE);
    }

    @ParameterizedTest
    @EnumSource(HttpClient.Version.class)
    void thousandsOfFlushedWritesArriveOneByOne(HttpClient.Version version) throws Exception {
        serve(
                Limits.DEFAULT,
                routes -> routes.get("/watch", (_, response) -> {
                    try (var out = response.outputStream()) {
                        for (int i = 0; i < 5_000; i++) {
                            out.write(("event " + i + "\n").getBytes(StandardCharsets.UTF_8));
                            out.flush();
                        }
                    }
                }));

        var response = client.send(request("/watch").version(version).build(), ofLines());

        assertThat(response.body()).hasSize(5_000).endsWith("event 4999");
    }

    @Test
    void anUnknownPathIsAnsweredInJson() throws Exception {
        var response = get(server.port("first"), "/nowhere");

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.headers().firstValue("content-type")).contains("application/json");
        assertThat(response.body()).isEqualTo("{\"code\":404,\"message\":\"nothing is served at /nowhere\"}");
    }

    @Test
    void aWrongMethodIsToldWhichOnesThereAre() throws Exception {
        serve(
                Limits.DEFAULT,
                routes -> routes.post("/only", (_, response) -> response.send())
                        .any("/only", ErrorReplies.onlyMethods("POST")));

        var response = get(port(), "/only");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains("POST");
        assertThat(response.body()).contains("GET is not supported at /only; use POST");
    }

    @Test
    void anErrorOfAHandlerIsAPlainSentenceWithoutItsCause() throws Exception {
        serve(
                Limits.DEFAULT,
                routes -> routes.get("/", (_, _) -> {
                    throw new IllegalStateException("secret detail");
                }));

        var response = get(port(), "/");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).contains("the server could not answer").doesNotContain("secret", "Exception");
    }

    @Test
    void aHandlersRefusalKeepsItsCodeAndMessage() throws Exception {
        serve(
                Limits.DEFAULT,
                routes -> routes.get("/", (_, _) -> {
                    throw new HttpException("not on a Sunday", Status.CONFLICT_409);
                }));

        assertThat(get(port(), "/").body()).isEqualTo("{\"code\":409,\"message\":\"not on a Sunday\"}");
    }

    @Test
    void aMalformedRequestIsAnsweredInJson() throws Exception {
        assertThat(raw(server.port("first"), "GET /a b c HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("\"code\":400");
    }

    private void serve(Limits limits, Consumer<HttpRouting.Builder> routes) {
        server.close();
        server = HttpServer.start(List.of(listener("first", limits, routes)));
    }

    private static Listener listener(String name, Limits limits, Consumer<HttpRouting.Builder> routes) {
        return new Listener(name, "127.0.0.1", 0, Optional.empty(), limits, routes);
    }

    private int port() {
        return server.port("first");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                .timeout(PATIENCE);
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .version(HttpClient.Version.HTTP_1_1)
                        .timeout(PATIENCE)
                        .build(),
                ofString());
    }

    private static String raw(int port, String bytes) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
