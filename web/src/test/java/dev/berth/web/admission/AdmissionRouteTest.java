package dev.berth.web.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionRouteTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Metrics metrics = new Metrics();
    private final AtomicReference<AdmissionRequest> asked = new AtomicReference<>();
    private Function<AdmissionRequest, AdmissionReply> door = _ -> AdmissionReply.allow();
    private final AdmissionRoute mutate =
            AdmissionRoute.at("/mutate", AdmissionRoute.reviewCounter(metrics.registry(), "test"), request -> {
                asked.set(request);
                return door.apply(request);
            });
    private final HttpServer server = HttpServer.start(List.of(new Listener(
            "webhook", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT.withMaxBodyBytes(100_000), routes -> {
                metrics.observe(routes);
                mutate.addTo(routes);
                AdmissionRoute.at(
                                "/open",
                                AdmissionRoute.reviewCounter(new Metrics().registry(), "test"),
                                _ -> AdmissionReply.allow())
                        .whenMalformed(problem -> AdmissionReply.deny(
                                400,
                                "Unexpected request kind: " + problem.kind().orElse("null")))
                        .addTo(routes);
            })));

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"})
    void theReplyHasTheVersionAndUidOfTheRequest(String version) throws Exception {
        var reply = JSON.readTree(post("/mutate", review(version)).body());

        assertThat(reply).isEqualTo(tree("""
                {'apiVersion':'%s','kind':'AdmissionReview','response':{'uid':'u-1','allowed':true}}""".formatted(version)));
    }

    @Test
    void theDoorSeesEverythingThatWasAsked() throws Exception {
        post("/mutate", review("admission.k8s.io/v1"));

        assertThat(asked.get())
                .isEqualTo(new AdmissionRequest(
                        "admission.k8s.io/v1",
                        "u-1",
                        new AdmissionRequest.Kind("", "v1", "Pod"),
                        "",
                        "default",
                        "p1",
                        AdmissionRequest.Operation.CREATE,
                        true,
                        Optional.of(JSON.createObjectNode().put("kind", "Pod"))));
    }

    @Test
    void aPatchGoesOutInBase64() throws Exception {
        door = request -> AdmissionReply.patch(
                JsonPatch.of(request.object().orElseThrow()).add(JsonPointer.of("metadata", "labels", "a/b"), "1"));

        var response = JSON.readTree(
                        post("/mutate", review("admission.k8s.io/v1")).body())
                .path("response");

        assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
        assertThat(JSON.readTree(
                        Base64.getDecoder().decode(response.path("patch").asText())))
                .last()
                .isEqualTo(tree("{'op':'add','path':'/metadata/labels/a~1b','value':'1'}"));
        assertThat(response.has("status")).isFalse();
    }

    @Test
    void aDenialCarriesItsCodeAndSentence() throws Exception {
        door = _ -> AdmissionReply.deny(429, "no 1-GPU set free");

        assertThat(JSON.readTree(post("/mutate", review("admission.k8s.io/v1")).body())
                        .path("response"))
                .isEqualTo(tree("{'uid':'u-1','allowed':false,'status':{'code':429,'message':'no 1-GPU set free'}}"));
    }

    @Test
    void anAllowanceMayCarryAMessageAndWarnings() throws Exception {
        door = _ -> AdmissionReply.allow("dry-run: no mutation").withWarnings(List.of("line 2 makes no sense"));

        assertThat(JSON.readTree(post("/mutate", review("admission.k8s.io/v1")).body())
                        .path("response"))
                .isEqualTo(tree("""
                        {'uid':'u-1','allowed':true,'status':{'code':200,'message':'dry-run: no mutation'},
                         'warnings':['line 2 makes no sense']}"""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                                                          | the body is empty",
                "{'kind':                                                  | the body is not JSON",
                "[]                                                        | its kind is missing",
                "{'kind':'Pod'}                                            | its kind is Pod",
                "{'kind':'AdmissionReview'}                                | holds no request",
                "{'kind':'AdmissionReview','apiVersion':'admission.k8s.io/v9','request':{}} | apiVersion is admission.k8s.io/v9",
                "{'kind':'AdmissionReview','request':{'name':'x'}}         | has no uid",
                "{'kind':'AdmissionReview','request':{'uid':'u','operation':'EAT'}} | operation EAT is none of",
                "{'kind':'AdmissionReview','request':{'uid':'u','object':3}} | object is not an object",
            })
    void aMalformedReviewIsA400ThatSaysWhatIsWrong(String body, String problem) throws Exception {
        var response = post("/mutate", body == null ? "" : body.replace('\'', '"'));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(JSON.readTree(response.body()).path("message").asText()).contains(problem);
    }

    @Test
    void aDoorMayAnswerAMalformedReviewWithAReview() throws Exception {
        var response = post("/open", "{\"kind\":\"Pod\"}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(JSON.readTree(response.body()).path("response")).isEqualTo(tree("""
                {'uid':null,'allowed':false,'status':{'code':400,'message':'Unexpected request kind: Pod'}}"""));
    }

    @Test
    void aReviewIsOneWhateverItsContentTypeSays() throws Exception {
        var response = client.send(
                request("/open")
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("{\"kind\":\"Pod\"}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("Unexpected request kind: Pod");
    }

    @Test
    void tooLargeAReviewIsRefused() throws Exception {
        assertThat(post("/mutate", "x".repeat(100_001)).statusCode()).isEqualTo(413);
    }

    @Test
    void theDoorsOwnErrorIsA500WithoutItsCause() throws Exception {
        door = _ -> {
            throw new IllegalStateException("secret");
        };

        var response = post("/mutate", review("admission.k8s.io/v1"));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).doesNotContain("secret");
    }

    @Test
    void resultsAreCounted() throws Exception {
        post("/mutate", review("admission.k8s.io/v1"));
        post("/mutate", "{}");

        var counted = metrics.registry()
                .scrape(name -> name.equals("berth_admission_reviews"))
                .toString();
        assertThat(metrics.registry().scrape(name -> name.equals("berth_admission_reviews")).stream()
                        .flatMap(snapshot -> snapshot.getDataPoints().stream())
                        .map(point -> point.getLabels().get("result")))
                .as(counted)
                .containsExactlyInAnyOrder("allowed", "malformed");
    }

    private static String review(String version) {
        return """
                {"apiVersion":"%s","kind":"AdmissionReview","request":{"uid":"u-1",
                 "kind":{"group":"","version":"v1","kind":"Pod"},
                 "resource":{"group":"","version":"v1","resource":"pods"},
                 "namespace":"default","name":"p1","operation":"CREATE","dryRun":true,
                 "object":{"kind":"Pod"},"oldObject":null,
                 "userInfo":{"username":"alice","uid":"7","groups":["admins"]}}}""".formatted(version);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port("webhook") + path))
                .timeout(Duration.ofSeconds(10));
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return client.send(
                request(path + "?timeout=5s")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode tree(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }
}
