package dev.berth.kube.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeSchedulerTest {
    private final TestServer server = new TestServer();
    private final Cluster cluster = server.connect();
    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private HttpServer extender;
    private NodeScheduler scheduler;

    @BeforeEach
    void start() throws IOException {
        extender = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        extender.createContext("/filter", exchange -> {
            asked.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            var answer = answers.poll();
            var bytes =
                    (answer == null ? "{\"Error\": \"nothing prepared\"}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        extender.start();
        var filter = URI.create(
                "http://127.0.0.1:%d/filter".formatted(extender.getAddress().getPort()));
        scheduler = NodeScheduler.start(
                cluster,
                List.of(
                        Profile.plain("default-scheduler"),
                        new Profile("sharing", Optional.of(new HttpExtender(filter, List.of("example.com/share"))))),
                "test",
                InstantSource.system());
    }

    @AfterEach
    void stop() {
        scheduler.close();
        extender.stop(0);
        server.close();
    }

    @Test
    void aPodGoesToTheNodeWithTheMostRoom() {
        node("small", "2", 0);
        node("large", "16", 0);

        // Only the large one can take this: from then on it is known.
        pod("first", "default-scheduler", "{cpu: \"4\"}");
        awaitNode("first", "large");

        pod("plain", "default-scheduler", "{cpu: \"1\"}");

        awaitNode("plain", "large");
        assertThat(notes("plain"))
                .anyMatch(note -> note.startsWith("Successfully assigned default/plain to large (the most room of "));
    }

    @Test
    void aPodThatFitsNowhereIsToldWhatEachNodeLacksAndGoesWhereRoomComes() {
        node("full", "2", 1);
        pod("greedy", "default-scheduler", "{nvidia.com/gpu: \"2\"}");
        awaitCondition(
                "greedy", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu (full: wants 2, 1 of 1 free).");

        node("fresh", "2", 2);

        awaitNode("greedy", "fresh");
    }

    @Test
    void gpusThatOthersHaveAreNotGivenTwice() {
        node("only", "8", 2);
        pod("first", "default-scheduler", "{nvidia.com/gpu: \"2\"}");
        awaitNode("first", "only");
        pod("second", "default-scheduler", "{nvidia.com/gpu: \"1\"}");
        awaitCondition(
                "second", "0/1 nodes are available: 1 Insufficient nvidia.com/gpu (only: wants 1, 0 of 2 free).");

        cluster.client()
                .pods()
                .inNamespace("default")
                .withName("first")
                .withGracePeriod(0)
                .delete();

        awaitNode("second", "only");
    }

    @Test
    void theExtenderIsAskedByNameAndItsChoiceIsTaken() throws InterruptedException {
        node("a", "2", 0);
        node("b", "16", 0);
        answers.add("{\"NodeNames\": [\"a\"], \"FailedNodes\": {\"b\": \"another is fuller\"}, \"Error\": \"\"}");

        pod("half", "sharing", "{example.com/share: \"50\"}");

        awaitNode("half", "a");
        assertThat(asked.poll(1, TimeUnit.SECONDS)).contains("\"NodeNames\":[\"a\"", "\"name\":\"half\"");
    }

    @Test
    void whatTheExtenderRefusesIsAskedAgain() {
        node("a", "2", 0);
        answers.add("{\"NodeNames\": [], \"FailedNodes\": {\"a\": \"over quota\"}, \"Error\": \"\"}");
        pod("over", "sharing", "{example.com/share: \"50\"}");
        awaitCondition("over", "0/1 nodes are available: 1 over quota.");

        answers.add("{\"NodeNames\": [\"a\"]}");

        awaitNode("over", "a");
    }

    @Test
    void anExtenderThatAnswersWithAnErrorIsAskedAgain() {
        node("a", "2", 0);
        pod("early", "sharing", "{example.com/share: \"50\"}");
        TestServer.await("the error is told", () -> notes("early").contains("nothing prepared"));

        answers.add("{\"nodenames\": [\"a\"]}");

        awaitNode("early", "a");
    }

    @Test
    void podsWithoutTheExtendersResourceAreNoneOfItsBusiness() {
        node("a", "2", 0);

        pod("plain", "sharing", "{cpu: 100m}");

        awaitNode("plain", "a");
        assertThat(asked).isEmpty();
    }

    @Test
    void podsOfOtherSchedulersAreLeftAlone() {
        node("a", "2", 0);
        pod("theirs", "somebody", "{cpu: 100m}");
        pod("ours", "default-scheduler", "{cpu: 100m}");

        awaitNode("ours", "a");
        assertThat(get("theirs").getSpec().getNodeName()).isNull();
    }

    private void node(String name, String cpu, int gpus) {
        var node = cluster.client()
                .getKubernetesSerialization()
                .unmarshal("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                status:
                  allocatable: {cpu: "%s", memory: 8Gi, pods: "10", nvidia.com/gpu: "%d", example.com/share: "100"}
                  capacity: {cpu: "%s", memory: 8Gi, pods: "10", nvidia.com/gpu: "%d", example.com/share: "100"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, cpu, gpus, cpu, gpus), Node.class);
        cluster.client().nodes().resource(node).create();
    }

    private void pod(String name, String schedulerName, String limits) {
        var pod = cluster.client()
                .getKubernetesSerialization()
                .unmarshal("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  schedulerName: %s
                  tolerations: [{operator: Exists}]
                  containers: [{name: main, image: none, resources: {limits: %s}}]
                """.formatted(name, schedulerName, limits), Pod.class);
        cluster.client().pods().inNamespace("default").resource(pod).create();
    }

    private Pod get(String name) {
        return cluster.client().pods().inNamespace("default").withName(name).get();
    }

    private void awaitNode(String pod, String node) {
        TestServer.await(
                pod + " goes to " + node, () -> node.equals(get(pod).getSpec().getNodeName()));
    }

    private void awaitCondition(String pod, String message) {
        TestServer.await(
                pod + " is told: " + message,
                () -> get(pod).getStatus().getConditions().stream()
                        .map(PodCondition::getMessage)
                        .anyMatch(message::equals));
    }

    private List<String> notes(String pod) {
        TestServer.await("an event about " + pod, () -> !events(pod).isEmpty());
        return events(pod);
    }

    private List<String> events(String pod) {
        return cluster.client().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> pod.equals(event.getRegarding().getName()))
                .map(event -> String.valueOf(event.getNote()))
                .toList();
    }
}
