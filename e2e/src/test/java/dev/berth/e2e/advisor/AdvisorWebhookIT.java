package dev.berth.e2e.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The API server asks the advisor about pods: what the user chose stays, and no pod is ever lost. */
@OnBothServers
class AdvisorWebhookIT {
    private static final String CHOSEN = "/metadata/annotations/scheduler.radix.ai~1chosen-gpu";
    private static final String PREFERRED =
            "/spec/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution";

    @TempDir
    private Path certificates = Path.of(".");

    @Story
    @Timeout(240)
    void podsKeepWhatTheirUsersChose(Dialogue server) {
        var stage = new AdvisorStage(server, certificates);
        server.cleanUp("/apis/scheduling.k8s.io/v1/priorityclasses/advised-mine");
        server.quietly(
                "POST", "/apis/scheduling.k8s.io/v1/priorityclasses", "metadata: {name: advised-mine}\nvalue: 7");
        stage.node("advised-large", "A100-80GB");
        stage.node("advised-small", "L4-24GB");
        try (var agent = new AgentStub();
                var _ = stage.webhook(agent.url(), server.namespace())) {
            stage.enable();
            awaitNodesKnown(stage);

            var plain = stage.create("plain", "");
            assertThat(plain.at("/spec/priority").asInt()).isEqualTo(750);
            assertThat(plain.at("/metadata/labels/app.kubernetes.io~1job-type").asText())
                    .isEqualTo("train-bert");
            assertThat(plain.at("/metadata/annotations/scheduler.radix.ai~1priority-score")
                            .asText())
                    .isEqualTo("85");
            assertThat(plain.at("/metadata/annotations/scheduler.radix.ai~1decision-timestamp")
                            .asLong())
                    .isGreaterThan(1_700_000_000);
            server.note("plain", spec(plain));

            var selector = stage.create("selector", "nodeSelector: {disk: ssd}");
            assertThat(selector.at("/spec/nodeSelector/disk").asText()).isEqualTo("ssd");
            server.note("selector", spec(selector));

            var own = stage.create("gpu", "nodeSelector: {gpu.nvidia.com/class: L4-24GB}");
            assertThat(own.at("/spec/nodeSelector/gpu.nvidia.com~1class").asText())
                    .isEqualTo("L4-24GB");
            server.note("gpu", spec(own));

            var ranked = stage.create("ranked", "priorityClassName: advised-mine");
            assertThat(ranked.at("/spec/priority").asInt()).isEqualTo(7);
            server.note("ranked", spec(ranked));

            var tolerant = stage.create(
                    "tolerant",
                    "tolerations: [{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}, {key: mine, operator: Exists}]");
            assertThat(keys(tolerant.at("/spec/tolerations"))).containsOnlyOnce("nvidia.com/gpu", "mine");
            server.note("tolerant", spec(tolerant));

            var shy = stage.create("shy", """
                    affinity:
                      podAntiAffinity:
                        requiredDuringSchedulingIgnoredDuringExecution:
                        - {topologyKey: zone, labelSelector: {matchLabels: {a: b}}}
                        preferredDuringSchedulingIgnoredDuringExecution:
                        - {weight: 1, podAffinityTerm: {topologyKey: zone, labelSelector: {matchLabels: {c: d}}}}
                    """);
            assertThat(shy.at("/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution"))
                    .hasSize(1);
            assertThat(shy.at(PREFERRED)).hasSize(2);
            server.note("shy", spec(shy));

            var dry = server.quietly("POST", AdvisorStage.PODS + "?dryRun=All", AdvisorStage.pod("dry", ""));
            assertThat(dry.code()).isEqualTo(201);
            assertThat(dry.body().at(CHOSEN).isMissingNode()).isTrue();
        }
    }

    /**
     * A webhook that knows no nodes yet advises all the same; once it does, it names no class that no wanted node has.
     */
    private static void awaitNodesKnown(AdvisorStage stage) {
        var probes = new AtomicInteger();
        Await.until(
                Duration.ofSeconds(30),
                () -> !stage.create("probe-" + probes.incrementAndGet(), "nodeSelector: {nowhere: \"true\"}")
                        .at("/spec/nodeSelector")
                        .has("gpu.nvidia.com/class"),
                () -> "the webhook has not heard of the nodes");
    }

    @Story
    @Timeout(240)
    void advisedPodsAndThoseFromBeforeCanBeChanged(Dialogue server) {
        var stage = new AdvisorStage(server, certificates);
        stage.node("changed-node", "A100-80GB");
        stage.create("before", "");
        try (var agent = new AgentStub();
                var _ = stage.webhook(agent.url(), server.namespace())) {
            stage.enable();
            stage.create("after", "");
            int asked = agent.asked();

            for (var pod : List.of("before", "after")) {
                var before = stage.read(pod).path("spec");
                for (var change :
                        List.of("labels: {changed: \"yes\"}", "finalizers: [example.org/kept]", "finalizers: null")) {
                    var answer = server.quietly(server.request("PATCH", AdvisorStage.PODS + "/" + pod)
                            .json("metadata: {%s}".formatted(change))
                            .type("application/merge-patch+json"));
                    assertThat(answer.code()).as(answer.text()).isEqualTo(200);
                }
                assertThat(stage.read(pod).path("spec")).isEqualTo(before);
                assertThat(server.quietly("DELETE", AdvisorStage.PODS + "/" + pod + "?gracePeriodSeconds=0", "")
                                .code())
                        .isEqualTo(200);
            }
            assertThat(agent.asked()).isEqualTo(asked);
        }
    }

    @Story
    @Timeout(240)
    void aPriorityClassThatIsMissingIsNotSet(Dialogue server) {
        var stage = new AdvisorStage(server, certificates);
        stage.node("classless-node", "A100-80GB");
        try (var agent = new AgentStub();
                var _ = stage.webhook(agent.url(), server.namespace())) {
            stage.enable();

            stage.dropClass("gpu-high");

            var created = new ArrayList<JsonNode>();
            // Until the webhook has heard of it, the API server refuses the class that is gone.
            Await.until(
                    Duration.ofSeconds(30),
                    () -> {
                        var answer = server.quietly("POST", AdvisorStage.PODS, AdvisorStage.pod("classless", ""));
                        created.add(answer.body());
                        return answer.code() == 201;
                    },
                    () -> "the pod is refused: " + created.getLast());
            assertThat(created.getLast().at(CHOSEN).asText()).isEqualTo("A100-80GB");
            server.note("classless", spec(created.getLast()));
        }
    }

    @Story
    @Timeout(300)
    void whateverIsWrongWithTheAgentThePodIsCreated(Dialogue server) {
        var stage = new AdvisorStage(server, certificates);
        stage.node("faulty-node", "A100-80GB");
        try (var agent = new AgentStub();
                var _ = stage.webhook(agent.url(), server.namespace())) {
            stage.enable();

            agent.replies(500, "broken");
            server.note("500", spec(stage.create("failing", "")));
            agent.replies(200, "no JSON at all");
            server.note("nonsense", spec(stage.create("nonsense", "")));
            agent.replies(200, AgentStub.ADVICE.replace("A100-80GB", "no label!"));
            server.note("no label", spec(stage.create("unlabelled", "")));
            agent.replies(200, AgentStub.ADVICE);
            agent.takes(6);
            server.note("slow", spec(stage.create("slow", "")));
            agent.takes(0);
            assertThat(stage.create("well", "").at(CHOSEN).asText()).isEqualTo("A100-80GB");
            agent.stop();
            server.note("stopped", spec(stage.create("stopped", "")));
            for (var pod : List.of("failing", "nonsense", "unlabelled", "slow", "stopped")) {
                assertThat(stage.read(pod).at(CHOSEN).isMissingNode()).as(pod).isTrue();
            }
            // One for the namespace in half a minute, not one a pod.
            var events = server.await(
                    "/apis/events.k8s.io/v1/namespaces/{ns}/events",
                    list -> list.path("items")
                            .valueStream()
                            .anyMatch(event -> event.path("reason").asText().equals("SchedulerUnavailable")));
            var warning = events.path("items").get(0);
            assertThat(warning.path("type").asText()).isEqualTo("Warning");
            assertThat(warning.path("note").asText()).contains("Created without advice", "answered 500");
        }
    }

    private static List<String> keys(JsonNode tolerations) {
        return tolerations.valueStream().map(each -> each.path("key").asText()).toList();
    }

    /** What the webhook may have written. */
    private static JsonNode spec(JsonNode pod) {
        var written = JsonNodeFactory.instance.objectNode();
        for (var field : List.of("priorityClassName", "priority", "nodeSelector", "tolerations", "affinity")) {
            if (pod.path("spec").has(field)) {
                written.set(field, pod.path("spec").path(field));
            }
        }
        return written.put("gpu", pod.at(CHOSEN).asText());
    }
}
