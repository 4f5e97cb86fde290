package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.extender.wire.FilterReader;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.web.Limits;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 1.1 and 1.2 of the wire contract: what is sent in, and what always comes back. */
class HttpSurfaceTest {
    private static Stage stage;

    @BeforeAll
    static void open() {
        stage = new Stage(true);
    }

    @AfterAll
    static void close() {
        stage.close();
    }

    private static JsonNode predicates(String body) throws Exception {
        var response = stage.send("POST", "/scheduler/predicates", body);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        return Stage.JSON.readTree(response.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{}",
                "[]",
                "null",
                "7",
                "\"text\"",
                "{",
                "{\"Pod\":",
                "not json",
                "{\"Pod\": 7}",
                "{\"Pod\": null}",
                "{\"Pod\": {}, \"Nodes\": 7}",
                "{\"Pod\": {}, \"Nodes\": {\"items\": 7}}",
                "{\"Pod\": {}, \"Nodes\": {\"items\": [7]}}",
                "{\"Pod\": {}, \"Nodes\": {\"items\": [{}]}}",
                "{\"Pod\": {}, \"NodeNames\": 7}",
                "{\"Pod\": {}, \"NodeNames\": [7]}",
                "{\"Pod\": {}, \"NodeNames\": [\"\"]}",
                "{\"Pod\": {\"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"tencent.com/vcuda-core\": \"-1\"}}}]}}}",
                "{\"Pod\": {\"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"tencent.com/vcuda-core\": \"many\"}}}]}}}",
                "{\"Pod\": {\"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"tencent.com/vcuda-core\": \"100\"}}}]}}}",
                "{\"Pod\": {}, \"Nodes\": {\"items\": [{\"metadata\": {\"name\": \"n\"}, \"status\": {\"capacity\": {\"tencent.com/vcuda-core\": \"x\"}}}]}}"
            })
    void everyBodyThatMakesNoSenseGetsAReplyWithAnError(String body) throws Exception {
        var reply = predicates(body);

        assertThat(reply.fieldNames()).toIterable().containsExactly("Nodes", "NodeNames", "FailedNodes", "Error");
        assertThat(reply.path("Error").asText()).isNotEmpty();
        assertThat(reply.path("Nodes").isNull()).isTrue();
        assertThat(reply.path("FailedNodes").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    default | '' | u | the Pod's name is missing
                    '' | p | u | the Pod's namespace is missing
                    default | a b | u | the Pod's name cannot be 'a b'
                    default | a?dryRun=All | u | the Pod's name cannot be 'a?dryRun=All'
                    default | ../../../nodes/n | u | the Pod's name cannot be '../../../nodes/n'
                    a/b c | p | u | the Pod's namespace cannot be 'a/b c'
                    default | p | ' ' | the Pod's uid cannot be ' '
                    default | pöd | u | the Pod's name cannot be 'pöd'
                    """)
    void aPodThatNoApiServerHoldsIsNeitherAskedForNorWrittenDown(
            String namespace, String name, String uid, String problem) throws Exception {
        var pod = Stage.JSON.valueToTree(stage.pod("named-" + problem.hashCode(), "30/1"));
        ((ObjectNode) pod.path("metadata"))
                .put("namespace", namespace)
                .put("name", name)
                .put("uid", uid);

        var reply = predicates("{\"Pod\":" + pod + ",\"NodeNames\":[\"n\"]}");
        assertThat(reply.path("Error").asText()).startsWith(problem);
        var volcano = Stage.JSON.readTree(stage.send(
                        "POST", "/scheduler/vpredicates", "{\"task\":{\"Pod\":" + pod + "},\"node\":{\"Name\":\"n\"}}")
                .body());
        assertThat(volcano.path("status").asText()).startsWith(problem);
        assertThat(volcano.path("code").asInt()).isEqualTo(1);
    }

    @Test
    void halfACharacterInANameIsToldAsWell() throws Exception {
        var limits = "{\"limits\":{\"tencent.com/vcuda-core\":\"100\"}}";
        var reply = predicates("{\"Pod\":{\"metadata\":{\"name\":\"\\ud800x\",\"namespace\":\"default\"},"
                + "\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":" + limits + "}]}},\"NodeNames\":[\"n\"]}");

        assertThat(reply.path("Error").asText()).isEqualTo("the Pod's name cannot be '\ufffdx'");
    }

    @Test
    void aNodeThatCannotBeCalledThatIsNamed() throws Exception {
        assertThat(predicates("{\"Pod\":{},\"NodeNames\":[\"a b/../c\"]}")
                        .path("Error")
                        .asText())
                .isEqualTo("a node's name cannot be 'a b/../c'");
    }

    @Test
    void aBodyInAnotherEncodingIsRefusedInWords() {
        var body = "{\"Pod\":{},\"Nodes\":{\"items\":[{\"metadata\":{\"name\":\"n\"}}]}}"
                .getBytes(StandardCharsets.UTF_16LE);

        assertThatThrownBy(() -> new FilterReader("model", "pool").read(body))
                .isInstanceOf(MalformedRequestException.class)
                .hasMessage("the request is not in UTF-8");
    }

    @Test
    void aBodyInPiecesThatBecomesTooLargeIsToldSo() throws Exception {
        var piece = " ".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        var pieces = new ArrayList<>(Collections.nCopies((int) (Limits.DEFAULT.maxBodyBytes() / piece.length), piece));
        pieces.add(new byte[] {' '});
        try (var http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var response = http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/scheduler/predicates"
                                    .formatted(stage.web().port("extender"))))
                            .POST(BodyPublishers.ofByteArrays(pieces))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(Stage.JSON.readTree(response.body()).path("Error").asText())
                    .contains("larger than the limit");
        }
    }

    @Test
    void anEmptyBodyIsTheEndOfFileAsInGo() throws Exception {
        assertThat(predicates("").path("Error").asText()).isEqualTo("EOF");
        assertThat(predicates("{\"Pod\": {").path("Error").asText()).isEqualTo("unexpected EOF");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"task\": 7}",
                "{\"task\": {\"Pod\": {}}}",
                "{\"task\": {}, \"node\": {\"Name\": \"n\"}}"
            })
    void aVolcanoBodyThatMakesNoSenseGetsAReplyWithAnError(String body) throws Exception {
        var response = stage.send("POST", "/scheduler/vpredicates", body);

        assertThat(response.statusCode()).isEqualTo(200);
        var reply = Stage.JSON.readTree(response.body());
        assertThat(reply.path("code").asInt()).isEqualTo(1);
        assertThat(reply.path("status").asText()).isNotEmpty();
    }

    @Test
    void prioritiesThatCannotBeReadAreABadRequestWithoutABody() throws Exception {
        var response = stage.send("POST", "/scheduler/priorities", "{");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).isEmpty();
    }

    @Test
    void aPodWithoutGpusGetsItsNodesBackByteForByte() throws Exception {
        var nodes =
                "{\"metadata\":{}, \"items\":[{\"metadata\":{\"name\":\"n\", \"x\":1e2},\"unknown\":  [1, {\"é\":\"\\u00e9\"}]}]}";
        var response = stage.send(
                "POST",
                "/scheduler/predicates",
                "{\"Pod\":{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\"}]}},\"Nodes\":"
                        + nodes + ",\"NodeNames\":null}");

        assertThat(response.body())
                .isEqualTo("{\"Nodes\":" + nodes + ",\"NodeNames\":null,\"FailedNodes\":null,\"Error\":\"\"}");
    }

    @Test
    void aPodWithoutGpusGetsItsNamesBack() throws Exception {
        var reply = predicates("{\"Pod\":{\"metadata\":{\"name\":\"p\"}},\"Nodes\":null,\"NodeNames\":[\"b\",\"a\"]}");

        assertThat(reply.path("Nodes").isNull()).isTrue();
        assertThat(reply.path("NodeNames")).hasToString("[\"b\",\"a\"]");
    }

    @Test
    void fieldNamesAreTakenInAnyLetterCase() throws Exception {
        var pod = stage.pod("any-case", "30/1");
        var reply = predicates(
                "{\"pod\":" + Stage.JSON.writeValueAsString(pod)
                        + ",\"nodes\":{\"Items\":[{\"Metadata\":{\"Name\":\"any\"},\"Status\":{\"Capacity\":{\"tencent.com/vcuda-core\":\"100\",\"tencent.com/vcuda-memory\":4}}}]},\"nodenames\":null}");

        assertThat(reply.path("Error").asText()).isEmpty();
        assertThat(reply.path("Nodes")
                        .path("items")
                        .path(0)
                        .path("Metadata")
                        .path("Name")
                        .asText())
                .isEqualTo("any");
    }

    @Test
    void theChosenNodeComesBackByteForByte() throws Exception {
        var pod = stage.pod("bytes", "30/1");
        var node =
                "{\"metadata\":{\"name\":\"bytes\" ,\"n\":1.50},\"more\":[{}, \"ü\"],\"status\":{\"capacity\":{\"tencent.com/vcuda-core\":100,\"tencent.com/vcuda-memory\":\"4\"}}}";
        var response = stage.send(
                "POST",
                "/scheduler/predicates",
                "{\"Pod\":" + Stage.JSON.writeValueAsString(pod) + ",\"Nodes\":{\"items\":[ " + node
                        + " ]},\"NodeNames\":null}");

        assertThat(response.body()).startsWith("{\"Nodes\":{\"metadata\":{},\"items\":[" + node + "]},");
    }

    @Test
    void aNodeWithLessThanAGpuHasNone() {
        var reply = stage.filter(stage.pod("small", "10/1"), "tiny=99/4");

        assertThat(reply.path("FailedNodes").path("tiny").asText()).isEqualTo("no GPU device");
    }

    @ParameterizedTest
    @CsvSource({"50,false", "100,true", "50/1,true", "0/5,false"})
    void aPodIsAGpuPodFromAHundredCoresOrWithCoresAndMemory(String ask, boolean gpu) {
        var pod = stage.pod("gpu-" + ask.replace('/', '-'), ask);

        var reply = stage.filter(pod, "none-" + ask.replace('/', '-'));

        assertThat(reply.path("FailedNodes").isNull()).isEqualTo(!gpu);
        assertThat(stage.annotations(pod)).isEmpty();
    }

    @Test
    void amountsAreRoundedUpToWholeUnits() {
        var pod = stage.pod("rounded", "99/1");
        var body = Stage.whole(pod, "rounded=100/4");
        body.path("Pod")
                .path("spec")
                .path("containers")
                .path(0)
                .path("resources")
                .withObject("/limits")
                .put("tencent.com/vcuda-core", "98500m");

        assertThat(Stage.chosen(stage.ask("/scheduler/predicates", body))).isEqualTo("rounded");
        assertThat(Stage.chosen(stage.filter(stage.pod("rounded-2", "1/1"), "rounded=100/4")))
                .isEqualTo("rounded");
        assertThat(Stage.chosen(stage.filter(stage.pod("rounded-3", "1/1"), "rounded=100/4")))
                .isEqualTo("none");
    }

    @Test
    void otherMethodsAreNotAllowed() throws Exception {
        var response = stage.send("GET", "/scheduler/predicates", "");

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.body()).isEqualTo("Method Not Allowed");
        assertThat(response.headers().firstValue("Allow")).contains("OPTIONS, POST");
        var quota = stage.send("POST", "/quota", "");
        assertThat(quota.statusCode()).isEqualTo(405);
        assertThat(quota.headers().firstValue("Allow")).contains("GET, OPTIONS");
        var options = stage.send("OPTIONS", "/scheduler/predicates", "");
        assertThat(options.statusCode()).isEqualTo(200);
        assertThat(options.headers().firstValue("Allow")).contains("OPTIONS, POST");
    }

    @Test
    void aPathThatIsAlmostRightIsShownTheWay() throws Exception {
        for (var path : List.of("/scheduler/predicates/", "/Scheduler/Predicates")) {
            var response = stage.send("POST", path, "{}");
            assertThat(response.statusCode()).as(path).isEqualTo(308);
            assertThat(response.headers().firstValue("Location")).contains("/scheduler/predicates");
        }
        var unknown = stage.send("GET", "/nowhere", "");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).isEqualTo("404 page not found");
    }

    @Test
    void theSmallPagesAreServed() throws Exception {
        assertThat(stage.send("GET", "/version", "").body()).isEqualTo("berth-test");
        assertThat(stage.send("GET", "/hello", "").body()).isEqualTo("Hello, World!");
        assertThat(stage.send("GET", "/healthz", "").body()).isEqualTo("ok");
        assertThat(stage.send("GET", "/readyz", "").body()).isEqualTo("ok");
        assertThat(stage.send("GET", "/metrics", "").body()).contains("berth_schedule_attempts_total");
        assertThat(stage.send("GET", "/quota", "").body()).startsWith("{\"namespaces\":");
    }
}
