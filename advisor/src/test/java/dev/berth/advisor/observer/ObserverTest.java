package dev.berth.advisor.observer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.advisor.model.Observation;
import dev.berth.advisor.observer.Ear.Reception;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods on the embedded API server whose kubelet is the test. */
class ObserverTest {
    private final ApiServer server =
            ApiServer.start(ApiServerSettings.defaults().withPort(0).withoutControllers());
    private final Cluster cluster = Cluster.connect(new ConnectionSettings.At(URI.create(server.url())));
    private final List<Observation> heard = new CopyOnWriteArrayList<>();
    private final PrometheusRegistry registry = new PrometheusRegistry();

    @AfterEach
    void close() {
        cluster.close();
        server.close();
    }

    private Observer observer() {
        return observer(observation -> {
            heard.add(observation);
            return Reception.TAKEN;
        });
    }

    private Observer observer(Ear ear) {
        return Observer.start(cluster, ear, registry, InstantSource.system());
    }

    /** What became of the runs, as the metric has it. */
    private Set<String> results() {
        return registry.scrape(name -> name.equals("berth_advisor_observed_runs")).stream()
                .flatMap(snapshot -> snapshot.getDataPoints().stream())
                .map(point -> String.valueOf(point.getLabels().get("result")))
                .collect(Collectors.toSet());
    }

    private void node(String name, String type) {
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("gpu.nvidia.com/class", type)
                        .endMetadata()
                        .build())
                .create();
    }

    /** @return its uid */
    private String pod(String name, String type, String node, Map<String, String> more) {
        return cluster.client()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .addToAnnotations("app.kubernetes.io/job-type", type)
                        .addToAnnotations(more)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(node)
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .withNewResources()
                        .addToLimits("nvidia.com/gpu", new io.fabric8.kubernetes.api.model.Quantity("1"))
                        .endResources()
                        .endContainer()
                        .endSpec()
                        .build())
                .create()
                .getMetadata()
                .getUid();
    }

    private void status(String pod, String phase, String state) {
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(pod)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"status\": {\"phase\": \"%s\", \"containerStatuses\": [{\"name\": \"main\", \"image\": \"none\", \"imageID\": \"\", \"ready\": false, \"restartCount\": 0, \"state\": %s}]}}"
                                .formatted(phase, state));
    }

    private void runs(String pod, String from) {
        status(pod, "Running", "{\"running\": {\"startedAt\": \"2026-01-01T10:%sZ\"}}".formatted(from));
    }

    private void ends(String pod, String phase, String from, String to) {
        status(
                pod,
                phase,
                "{\"terminated\": {\"exitCode\": 0, \"startedAt\": \"2026-01-01T10:%sZ\", \"finishedAt\": \"2026-01-01T10:%sZ\"}}"
                        .formatted(from, to));
    }

    private static final Map<String, String> ADVISED = Map.of("scheduler.radix.ai/chosen-gpu", "A100-80GB");

    @Test
    void aPodThatEndedWellIsToldOfOnceWithTheGpuItReallyHad() {
        node("n1", "H100-80GB");
        try (var _ = observer()) {
            var uid = pod("done", "train-bert", "n1", ADVISED);
            runs("done", "00:00");
            ends("done", "Succeeded", "00:00", "01:30");

            await(() -> heard.size() == 1);
            pod("next", "other", "n1", ADVISED);
            ends("next", "Succeeded", "05:00", "05:01");
            await(() -> heard.size() == 2);

            assertThat(heard.getFirst())
                    .isEqualTo(new Observation("train-bert", "H100-80GB", 90, List.of(), Optional.of(uid)));
        }
    }

    @Test
    void whoRanBesideItIsToldToo() {
        node("n1", "A100-80GB");
        node("n2", "A100-80GB");
        pod("subject", "train-bert", "n1", ADVISED);
        pod("beside", "train-llama", "n1", Map.of());
        pod("before", "early", "n1", Map.of());
        pod("elsewhere", "far", "n2", Map.of());
        ends("before", "Succeeded", "00:00", "00:30");
        runs("beside", "01:30");
        runs("elsewhere", "01:30");
        ends("subject", "Succeeded", "01:00", "02:00");

        try (var _ = observer()) {
            await(() -> heard.size() == 1);

            assertThat(heard.getFirst().colocated()).containsExactly("train-llama");
        }
    }

    @Test
    void aNeighbourWhoseNameNobodyKeepsDoesNotSpoilTheObservation() {
        node("n1", "A100-80GB");
        pod("subject", "train-bert", "n1", ADVISED);
        pod("long", "x".repeat(257), "n1", Map.of());
        pod("odd", "a\0b", "n1", ADVISED);
        runs("long", "01:30");
        ends("odd", "Succeeded", "01:30", "01:40");
        ends("subject", "Succeeded", "01:00", "02:00");

        try (var _ = observer()) {
            await(() -> !heard.isEmpty());

            assertThat(heard.getFirst().jobType()).isEqualTo("train-bert");
            assertThat(heard.getFirst().colocated()).isEmpty();
        }
    }

    @Test
    void onANodeThatSaysNothingTheGpuIsNotGuessedAndNothingRunsForAges() {
        cluster.client()
                .resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName("silent")
                        .endMetadata()
                        .build())
                .create();
        node("n1", "A100-80GB");
        pod("somewhere", "train-bert", "silent", ADVISED);
        pod("old", "train-bert", "n1", ADVISED);
        pod("good", "good", "n1", ADVISED);
        ends("somewhere", "Succeeded", "00:00", "01:00");
        status(
                "old",
                "Succeeded",
                "{\"terminated\": {\"exitCode\": 0, \"startedAt\": \"0001-01-01T00:00:00Z\", \"finishedAt\": \"2026-01-01T10:00:00Z\"}}");

        try (var _ = observer()) {
            ends("good", "Succeeded", "00:00", "01:00");
            await(() -> !heard.isEmpty());

            assertThat(heard).extracting(Observation::jobType).containsExactly("good");
        }
    }

    @Test
    void onDifferentGpusNobodyIsBeside() {
        node("n1", "A100-80GB");
        pod("subject", "train-bert", "n1", Map.of("scheduler.radix.ai/chosen-gpu", "x", "fudo.org/gpu.uuid", "GPU-1"));
        pod("other", "train-llama", "n1", Map.of("fudo.org/gpu.uuid", "GPU-2"));
        pod("same", "share", "n1", Map.of("fudo.org/gpu.uuid", "GPU-2,GPU-1"));
        runs("other", "01:00");
        runs("same", "01:00");
        ends("subject", "Succeeded", "01:00", "02:00");

        try (var _ = observer()) {
            await(() -> heard.size() == 1);

            assertThat(heard.getFirst().colocated()).containsExactly("share");
        }
    }

    @Test
    void podsThatFailedWereNotAdvisedOrWereTooQuickAreNotToldOf() {
        node("n1", "A100-80GB");
        pod("failed", "train-bert", "n1", ADVISED);
        pod("unadvised", "train-bert", "n1", Map.of());
        pod("quick", "train-bert", "n1", ADVISED);
        pod("good", "good", "n1", ADVISED);
        ends("failed", "Failed", "00:00", "01:00");
        ends("unadvised", "Succeeded", "00:00", "01:00");
        ends("quick", "Succeeded", "00:00", "00:00");

        try (var _ = observer()) {
            ends("good", "Succeeded", "00:00", "01:00");
            await(() -> !heard.isEmpty());

            assertThat(heard).extracting(Observation::jobType).containsExactly("good");
        }
    }

    @Test
    void anAgentThatIsAwayIsToldWhenItIsBack() {
        node("n1", "A100-80GB");
        var tries = new AtomicInteger();
        try (var _ = observer(observation -> {
            if (tries.incrementAndGet() < 3) {
                return Reception.LATER;
            }
            heard.add(observation);
            return Reception.TAKEN;
        })) {
            pod("patient", "train-bert", "n1", ADVISED);
            ends("patient", "Succeeded", "00:00", "00:10");

            await(() -> heard.size() == 1);
        }
    }

    @Test
    void aRunThatCannotBeToldDoesNotSilenceTheNext() {
        node("n1", "A100-80GB");
        try (var _ = observer(observation -> {
            if (observation.jobType().equals("odd")) throw new IllegalStateException("nobody foresaw this");
            heard.add(observation);
            return Reception.TAKEN;
        })) {
            pod("odd", "odd", "n1", ADVISED);
            ends("odd", "Succeeded", "00:00", "00:10");
            await(() -> results().contains("lost"));
            pod("next", "train-bert", "n1", ADVISED);
            ends("next", "Succeeded", "01:00", "01:10");

            await(() -> results().equals(Set.of("lost", "taken")));

            assertThat(heard).extracting(Observation::jobType).containsExactly("train-bert");
        }
    }

    @Test
    void aRunThatWaitsWhenTheObserverClosesIsNotCountedAsRefused() {
        node("n1", "A100-80GB");
        var asked = new CountDownLatch(1);
        try (var _ = observer(_ -> {
            asked.countDown();
            return whenInterrupted();
        })) {
            pod("waiting", "train-bert", "n1", ADVISED);
            ends("waiting", "Succeeded", "00:00", "00:10");
            await(() -> asked.getCount() == 0);
        }

        assertThat(results()).isEmpty();
    }

    /** As an agent elsewhere that does not answer before the observer stops. */
    private static Reception whenInterrupted() {
        try {
            Thread.sleep(Duration.ofSeconds(30));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return Reception.LATER;
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited in vain").isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }
}
