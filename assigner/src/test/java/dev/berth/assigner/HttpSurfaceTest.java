package dev.berth.assigner;

import static dev.berth.assigner.Stage.review;
import static dev.berth.assigner.Stage.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.web.Limits;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpSurfaceTest {
    @TempDir
    static Path directory;

    private static Stage stage;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(directory.resolve("token"), "secret\n");
        stage = new Stage(
                false,
                AssignerSettings.DEFAULT.withFinalizeToken(directory.resolve("token")),
                Limits.DEFAULT
                        .withMaxBodyBytes(100_000)
                        .withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(500), Duration.ofSeconds(60)));
    }

    @AfterAll
    static void stop() throws Exception {
        stage.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /mutate",
        "PUT, /mutate",
        "POST, /mutate/",
        "POST, /devices",
        "GET, /devices/",
        "GET, /finalize",
        "POST, /validate"
    })
    void everythingElseIsNotFound(String method, String path) throws Exception {
        for (var listener : new String[] {"api", "ui"}) {
            var response = stage.send(listener, method, path);

            assertThat(response.statusCode()).as(listener).isEqualTo(404);
            assertThat(response.body()).isEqualTo("not found");
            assertThat(response.headers().firstValue("Content-Type")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{'kind':'Pod','request':{'uid':'u'}} | Pod | 'u'", "[] | null |", "{} | null |"})
    void whatIsNoReviewIsDeniedInAReview(String body, String kind, String uid) throws Exception {
        var response = stage.post("api", "/mutate", body.replace('\'', '"'));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Stage.JSON.readTree(response.body())).isEqualTo(Stage.JSON.readTree("""
                {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":%s,"allowed":false,
                 "status":{"code":400,"message":"Unexpected request kind: %s"}}}""".formatted(
                        uid == null ? "null" : "\"" + uid.replace("'", "") + "\"", kind)));
    }

    @Test
    void anEmptyBodyIsNoReview() throws Exception {
        assertThat(stage.post("api", "/mutate", "").body()).contains("Unexpected request kind: null");
    }

    @Test
    void whatIsNotJsonIsA400() throws Exception {
        var response = stage.post("api", "/mutate", "{\"kind\":");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("the body is not JSON");
    }

    @Test
    void aHugeBodyIsA413() throws Exception {
        assertThat(stage.post("api", "/mutate", "x".repeat(100_001)).statusCode())
                .isEqualTo(413);
    }

    @Test
    void aSlowBodyIsA408() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), stage.port("api"))) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            "POST /mutate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();

            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(answer.readLine()).contains("408");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"admission.k8s.io/v1", "admission.k8s.io/v1beta1"})
    void theReplyHasTheVersionOfTheReview(String version) throws Exception {
        var review = review("req-v", "cpu", 0).put("apiVersion", version);

        assertThat(stage.post("api", "/mutate", review.toString()).body()).contains("\"" + version + "\"");
    }

    @Test
    void theSamePodAskedAgainGetsTheSameAnswerAndOneLease() throws Exception {
        stage.node("again", "GPU-A1=again", "GPU-A2=again");
        var first = stage.mutate(review("req-again", "p1", 1, "again"));

        assertThat(stage.mutate(review("req-again", "p1", 1, "again"))).isEqualTo(first);
        assertThat(stage.lease("gpu-a2")).isEmpty();
    }

    @Test
    void anotherPodUnderTheSameUidGetsAGpuOfItsOwn() throws Exception {
        stage.node("uid", "GPU-U1=uid", "GPU-U2=uid");
        stage.mutate(review("req-uid", "p1", 1, "uid"));

        assertThat(value(stage.mutate(review("req-uid", "p2", 1, "uid")), 1)).isEqualTo("GPU-U2");
        assertThat(stage.mutate(review("req-uid", "p3", 1, "uid-none"))
                        .path("status")
                        .path("code")
                        .asInt())
                .isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'containers':'none'}",
                "{'containers':[null]}",
                "[]",
                "{'containers':[{'name':'a','resources':{'requests':{'cpu':'much'}}}]}",
                "{'containers':[{'name':'a','resources':{'requests':{'nvidia.com/gpu':'one'}}}]}",
                "{'nodeSelector':{'a':null}}",
                "{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[null]}}}}",
                "{'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'a','operator':'in'}]}]}}}}"
            })
    void aPodThatCannotBeReadIsDeniedWithTheReason(String spec) throws Exception {
        var review = review("req-odd", "odd", 0, "odd");
        ((ObjectNode) review.at("/request/object")).set("spec", Stage.JSON.readTree(spec.replace('\'', '"')));

        var status = stage.mutate(review).path("status");

        assertThat(status.path("code").asInt()).isEqualTo(400);
        assertThat(status.path("message").asText()).startsWith("pod default/odd cannot be read: ");
    }

    @Test
    void aReinvocationKeepsWhatThePodWasGiven() throws Exception {
        stage.node("reinvoked", "GPU-R1=reinvoked", "GPU-R2=reinvoked");
        var first = stage.mutate(review("req-r1", "p1", 1, "reinvoked"));
        var again = review("req-r2", "p1", 1, "reinvoked");
        ((ObjectNode) again.at("/request/object/metadata"))
                .putObject("annotations")
                .put("fudo.org/gpu.uuid", value(first, 1))
                .put("fudo.org/gpu.node", value(first, 2))
                .put("fudo.org/gpu.reservation-id", value(first, 3));

        var second = stage.mutate(again);

        assertThat(value(second, 1)).isEqualTo(value(first, 1));
        assertThat(value(second, 3)).isEqualTo("req-r1");
        assertThat(stage.lease("gpu-r2")).isEmpty();
    }

    @Test
    void annotationsThatNobodyReservedAreNotBelieved() throws Exception {
        stage.node("liar", "GPU-L1=liar", "GPU-L2=liar");
        stage.mutate(review("req-l1", "p1", 1, "liar"));
        var lying = review("req-l2", "p2", 1, "liar");
        ((ObjectNode) lying.at("/request/object/metadata"))
                .putObject("annotations")
                .put("fudo.org/gpu.uuid", "GPU-L1")
                .put("fudo.org/gpu.node", "liar")
                .put("fudo.org/gpu.reservation-id", "req-l3");

        assertThat(value(stage.mutate(lying), 1)).isEqualTo("GPU-L2");
    }

    @Test
    void oneUnreadableNodeDoesNotDisturbTheOthers() throws Exception {
        stage.annotatedNode("rubbish", "%%%");
        stage.node("fine", "GPU-F1=fine");

        assertThat(stage.mutate(review("req-f", "p1", 1, "fine"))
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(stage.get("ui", "/metrics")).contains("berth_assigner_unreadable_nodes 1.0");
        Stage.await(
                "an event on the node",
                () -> stage.cluster.client().events().v1().events().inNamespace("default").list().getItems().stream()
                        .anyMatch(event -> event.getReason().equals("UnreadableDeviceLabels")
                                && event.getRegarding().getName().equals("rubbish")));
    }

    @Test
    void aNodeThatCannotTakeThePodIsPassedOver() throws Exception {
        stage.node("cordoned", "GPU-C1=cordoned");
        stage.cluster.client().nodes().withName("cordoned").edit(node -> {
            node.getSpec().setUnschedulable(true);
            return node;
        });

        Stage.await("the cordon is known", () -> {
            try {
                return stage.mutate(review("req-c" + System.nanoTime(), "p1", 1, "cordoned"))
                                .path("status")
                                .path("code")
                                .asInt()
                        == 429;
            } catch (Exception problem) {
                throw new AssertionError(problem);
            }
        });
    }

    @Test
    void devicesShowWhoHoldsThem() throws Exception {
        stage.node("shown", "GPU-S1=shown", "GPU-S2=shown");
        var response = stage.mutate(review("req-s", "p9", 1, "shown"));
        var pod = stage.create("p9", response);
        var uid = pod.getMetadata().getUid();
        Stage.await("promotion", () -> stage.get("api", "/devices").contains(uid));

        for (var listener : new String[] {"api", "ui"}) {
            var devices = Stage.JSON.readTree(stage.get(listener, "/devices"));
            assertThat(devices.path("GPU-S2"))
                    .isEqualTo(Stage.JSON.readTree("{\"node\":\"shown\",\"labels\":[\"fudo.org/gpu.shown\"]}"));
            assertThat(devices.path("GPU-S1").toString())
                    .isEqualTo(
                            "{\"node\":\"shown\",\"labels\":[\"fudo.org/gpu.shown\"],\"assignment\":{\"exists?\":true,\"namespace\":\"default\",\"uid\":\"%s\",\"name\":\"p9\",\"reservation-id\":\"req-s\",\"state\":\"active\"}}"
                                    .formatted(uid));
        }
    }

    @Test
    void whatALeaseDoesNotSayIsLeftOutOfTheDevices() throws Exception {
        stage.node("terse", "GPU-TE1=terse");
        stage.cluster
                .client()
                .leases()
                .inNamespace(Stage.CLAIMS)
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("gpu-te1")
                        .addToLabels("fudo.org/gpu.uuid", "GPU-TE1")
                        .addToLabels("fudo.org/pod.namespace", "default")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("somebody")
                        .endSpec()
                        .build())
                .create();

        Stage.await("the lease", () -> stage.get("api", "/devices").contains("somebody"));
        assertThat(Stage.JSON.readTree(stage.get("api", "/devices")).at("/GPU-TE1/assignment"))
                .isEqualTo(Stage.JSON.readTree("{\"exists?\":false,\"namespace\":\"default\",\"uid\":\"somebody\"}"));
    }

    @Test
    void theStreamTellsWhatChanges() throws Exception {
        stage.node("live", "GPU-V1=live");
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), stage.port("ui"))) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET /devices/stream HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            await(answer, "event: devices");
            await(answer, "\"GPU-V1\":{\"node\":\"live\"");

            stage.mutate(review("req-live", "p1", 1, "live"));

            await(answer, "event: change");
            await(answer, "req-live");
        }
    }

    @Test
    void finalizingTellsTheTruth() throws Exception {
        stage.node("final", "GPU-FI1=final", "GPU-FI2=final");
        stage.mutate(review("req-fi", "p1", 1, "final"));
        var body =
                "{\"namespace\":\"default\",\"name\":\"p1\",\"uid\":\"%s\",\"reservation-id\":\"%s\",\"gpu-uuid\":\"%s\"}";

        assertThat(finalize("ui", body.formatted("u1", "req-fi", "GPU-FI2"))).startsWith("404");
        assertThat(finalize("ui", body.formatted("u1", "other", "GPU-FI1"))).startsWith("409");
        assertThat(finalize("ui", body.formatted("u1", "req-fi", "GPU-FI1"))).isEqualTo("200{\"status\":\"ok\"}");
        assertThat(finalize("api", body.formatted("u1", "req-fi", "GPU-FI1"))).isEqualTo("200{\"status\":\"ok\"}");
        assertThat(finalize("api", body.formatted("u2", "req-fi", "GPU-FI1"))).startsWith("409");
        assertThat(stage.holder("gpu-fi1")).isEqualTo("u1");
    }

    @Test
    void finalizingPromotesAlsoWhereThePodsUidIsTheReservation() throws Exception {
        stage.node("lent", "GPU-LE1=lent");
        var review = review("req-le", "p1", 1, "lent");
        ((ObjectNode) review.at("/request/object/metadata")).put("uid", "own");
        stage.mutate(review);

        assertThat(finalize("ui", finalized("own", "own", "GPU-LE1"))).isEqualTo("200{\"status\":\"ok\"}");
        assertThat(stage.lease("gpu-le1").orElseThrow().getMetadata().getLabels())
                .containsEntry("fudo.org/gpu.reservation-state", "active");
    }

    @Test
    void finalizingInSmallLettersLeavesTheUuidAsItIs() throws Exception {
        stage.node("small", "GPU-SM_1=small");
        stage.mutate(review("req-sm", "p1", 1, "small"));

        assertThat(finalize("ui", finalized("u1", "req-sm", "gpu-sm-1"))).isEqualTo("200{\"status\":\"ok\"}");
        assertThat(stage.lease("gpu-sm-1").orElseThrow().getMetadata().getLabels())
                .containsEntry("fudo.org/gpu.uuid", "GPU-SM_1");
    }

    @Test
    void finalizingWhatIsNoUuidFindsNothing() throws Exception {
        assertThat(finalize("ui", finalized("u1", "req-none", "---"))).startsWith("404");
    }

    private static String finalized(String uid, String reservation, String uuid) {
        return "{\"namespace\":\"default\",\"name\":\"p1\",\"uid\":\"%s\",\"reservation-id\":\"%s\",\"gpu-uuid\":\"%s\"}"
                .formatted(uid, reservation, uuid);
    }

    @Test
    void finalizingNamesWhatIsMissing() throws Exception {
        assertThat(finalize("api", "{\"name\":\"p1\",\"uid\":\" \"}"))
                .isEqualTo("400{\"error\":\"missing required fields: namespace, uid, reservation-id, gpu-uuid\"}");
        assertThat(finalize("api", "nonsense")).startsWith("400").contains("not JSON");
    }

    @Test
    void finalizingAsksForItsToken() throws Exception {
        assertThat(stage.post("ui", "/finalize", "{}").statusCode()).isEqualTo(401);
        assertThat(stage.post("ui", "/finalize", "{}", "Authorization", "Bearer wrong")
                        .statusCode())
                .isEqualTo(401);
    }

    private static String finalize(String listener, String body) throws Exception {
        var response = stage.post(listener, "/finalize", body, "Authorization", "Bearer secret");
        return response.statusCode() + response.body();
    }

    private static void await(BufferedReader lines, String text) throws Exception {
        String line;
        while ((line = lines.readLine()) != null) {
            if (line.contains(text)) {
                return;
            }
        }
        throw new AssertionError("the stream ended before: " + text);
    }
}
