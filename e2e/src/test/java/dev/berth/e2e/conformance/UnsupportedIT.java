package dev.berth.e2e.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.e2e.server.EmbeddedServer;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code docs/apiserver.md} says the embedded server leaves out or does otherwise, is so. */
class UnsupportedIT {
    private static final String POD = "/api/v1/namespaces/default/pods/p";
    private static final EmbeddedServer SERVER = EmbeddedServer.start(false);

    @BeforeAll
    static void makeObjects() throws Exception {
        send("POST", "/api/v1/namespaces/default/pods", """
                {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}""");
        send("POST", "/api/v1/namespaces/default/serviceaccounts", "{\"metadata\": {\"name\": \"robot\"}}");
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/namespaces/default/pods/p/log",
        "GET, /api/v1/namespaces/default/pods/p/ephemeralcontainers",
        "GET, /api/v1/namespaces/default/pods/p/resize",
        "POST, /api/v1/namespaces/default/serviceaccounts/robot/token"
    })
    void isNotImplemented(String method, String path) throws Exception {
        var answer = send(method, path, method.equals("POST") ? "{}" : "");

        assertThat(answer.statusCode()).isEqualTo(501);
        var status = new ObjectMapper().readTree(answer.body());
        assertThat(status.path("kind").asText()).isEqualTo("Status");
        assertThat(status.path("reason").asText()).isEqualTo("NotImplemented");
        assertThat(status.path("message").asText()).endsWith("is not supported by this server");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/namespaces/default/pods/p/exec",
                "/api/v1/namespaces/default/pods/p/attach",
                "/api/v1/namespaces/default/pods/p/portforward",
                "/api/v1/namespaces/default/pods/p/proxy",
                "/api/v1/componentstatuses",
                "/apis/certificates.k8s.io",
                "/apis/flowcontrol.apiserver.k8s.io",
                "/apis/apiregistration.k8s.io"
            })
    void isNotServed(String path) throws Exception {
        assertThat(send("GET", path, "").statusCode()).isEqualTo(404);
    }

    @Test
    void unknownFieldsAreKept() throws Exception {
        var made = send(
                "POST",
                "/api/v1/namespaces/default/configmaps?fieldValidation=Ignore",
                "{\"metadata\": {\"name\": \"odd\"}, \"shape\": \"round\"}");

        assertThat(made.statusCode()).isEqualTo(201);
        assertThat(tree("/api/v1/namespaces/default/configmaps/odd")
                        .path("shape")
                        .asText())
                .isEqualTo("round");
    }

    @Test
    void aWatchOverAWebSocketIsSentBackToPlainHttp() throws Exception {
        try (var socket =
                new Socket(InetAddress.getLoopbackAddress(), SERVER.address().getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("""
                    GET /api/v1/namespaces/default/pods?watch=true HTTP/1.1\r
                    Host: localhost\r
                    Connection: Upgrade\r
                    Upgrade: websocket\r
                    Sec-WebSocket-Version: 13\r
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                    \r
                    """.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            var first = new String(socket.getInputStream().readNBytes(15), StandardCharsets.US_ASCII);
            assertThat(first).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void answersInProtobufAloneAreRefused() throws Exception {
        var answer = SERVER.http()
                .send(
                        request("GET", POD, "")
                                .header("Accept", "application/vnd.kubernetes.protobuf")
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(406);
    }

    @Test
    void everybodyMayDoEverything() throws Exception {
        var review = send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", """
                {"spec": {"resourceAttributes": {"verb": "delete", "resource": "nodes"}}}""");

        assertThat(new ObjectMapper()
                        .readTree(review.body())
                        .at("/status/allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void theVersionNamesBerth() throws Exception {
        assertThat(tree("/version").path("gitVersion").asText()).isEqualTo("v1.36.3+berth");
    }

    private static JsonNode tree(String path) throws Exception {
        return new ObjectMapper().readTree(send("GET", path, "").body());
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        return SERVER.http().send(request(method, path, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String method, String path, String body) {
        var publisher =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        return HttpRequest.newBuilder(SERVER.address().resolve(path))
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .method(method, publisher);
    }
}
