package dev.berth.kube.pod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import dev.berth.kube.pod.BindingOutcome.AlreadyBound;
import dev.berth.kube.pod.BindingOutcome.Bound;
import dev.berth.kube.pod.BindingOutcome.Gone;
import dev.berth.kube.pod.BindingOutcome.Refused;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BindingsTest {
    private static final NodeName NODE = new NodeName("n1");

    private static TestServer server;
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        server = new TestServer();
        cluster = server.connect();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aPodIsBoundAndAnnotatedInOneStep() {
        var pod = TestServer.pod(cluster, "bound");

        assertThat(bind(pod, NODE, Map.of("berth.dev/devices", "0,1"))).isEqualTo(new Bound());
        var stored = get(pod);
        assertThat(stored.getSpec().getNodeName()).isEqualTo("n1");
        assertThat(stored.getMetadata().getAnnotations()).containsEntry("berth.dev/devices", "0,1");
    }

    @Test
    void aBoundPodStaysWhereItIs() {
        var pod = TestServer.pod(cluster, "twice");
        bind(pod, NODE, Map.of());

        assertThat(bind(pod, new NodeName("n2"), Map.of())).isEqualTo(new AlreadyBound("n1"));
        assertThat(bind(pod, NODE, Map.of())).isEqualTo(new AlreadyBound("n1"));
    }

    @Test
    void anotherPodOfThatNameIsNotBound() {
        var pod = TestServer.pod(cluster, "other");

        assertThat(new Bindings(cluster).bind("default", "other", "another-uid", NODE, Map.of()))
                .isEqualTo(new Gone());
        assertThat(get(pod).getSpec().getNodeName()).isNull();
        assertThat(new Bindings(cluster).bind("default", "never", "any-uid", NODE, Map.of()))
                .isEqualTo(new Gone());
    }

    @Test
    void aPodThatIsHeldBackIsRefusedWithAReason() {
        var pod = cluster.client()
                .pods()
                .inNamespace("default")
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("gated")
                        .endMetadata()
                        .withNewSpec()
                        .addNewSchedulingGate("example.com/wait")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();

        assertThat(bind(pod, NODE, Map.of()))
                .isEqualTo(
                        new Refused(
                                "Operation cannot be fulfilled on pods/binding \"gated\": pod gated has non-empty .spec.schedulingGates"));
    }

    @Test
    void aBindingWhoseAnswerIsLostIsOurs() {
        var wire = server.wire();
        var pod = TestServer.pod(cluster, "lost");
        wire.loseAnswerTo("POST /api/v1/namespaces/default/pods/lost/binding");

        var outcome = new Bindings(server.connectOver(wire))
                .bind("default", "lost", pod.getMetadata().getUid(), NODE, Map.of());

        assertThat(wire.lost()).isEqualTo(1);
        assertThat(outcome).isEqualTo(new Bound());
    }

    @Test
    void whyAPodWaitsIsWrittenOnceUntilItChanges() {
        var conditions = new PodConditions(cluster, () -> Instant.parse("2026-01-01T12:00:00Z"));
        var pod = TestServer.pod(cluster, "waiting");

        assertThat(conditions.unschedulable(pod, "0/3 nodes fit")).isTrue();
        assertThat(conditions.unschedulable(get(pod), "0/3 nodes fit")).isFalse();
        assertThat(conditions.unschedulable(get(pod), "0/4 nodes fit")).isTrue();

        var condition = get(pod).getStatus().getConditions().stream()
                .filter(each -> each.getType().equals("PodScheduled"))
                .toList();
        assertThat(condition).singleElement().satisfies(each -> {
            assertThat(each.getStatus()).isEqualTo("False");
            assertThat(each.getReason()).isEqualTo("Unschedulable");
            assertThat(each.getMessage()).isEqualTo("0/4 nodes fit");
            assertThat(each.getLastTransitionTime()).isEqualTo("2026-01-01T12:00:00Z");
        });
    }

    @Test
    void onlyAServerThatSaysSoMakesAPodGone() {
        var pod = TestServer.pod(cluster, "sighted");
        var uid = pod.getMetadata().getUid();
        var soon = Duration.ofMillis(300);
        var wire = server.wire();
        var shaky = server.connectOver(wire);

        assertThat(Sighting.of(cluster, "default", "sighted", uid, soon)).isInstanceOf(Sighting.Present.class);
        assertThat(Sighting.of(cluster, "default", "sighted", "old-uid", soon)).isInstanceOf(Sighting.Gone.class);
        wire.block();
        assertThat(Sighting.of(shaky, "default", "sighted", uid, soon)).isInstanceOf(Sighting.Unknown.class);
    }

    private static BindingOutcome bind(Pod pod, NodeName node, Map<String, String> annotations) {
        var metadata = pod.getMetadata();
        return new Bindings(cluster).bind("default", metadata.getName(), metadata.getUid(), node, annotations);
    }

    private static Pod get(Pod pod) {
        return cluster.client()
                .pods()
                .inNamespace("default")
                .withName(pod.getMetadata().getName())
                .get();
    }
}
