package dev.berth.advisor.observer;

import dev.berth.advisor.cluster.GpuTypes;
import dev.berth.advisor.cluster.Keys;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.wire.Names;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches pods, and tells the agent of each advised one that ended well: once, under the pod's uid, so that telling it
 * again after a restart changes nothing.
 */
public final class Observer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);
    private static final int MOST_WAITING = 10_000;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

    private final Cache<Pod> pods;
    private final Cache<Node> nodes;
    private final History history = new History();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Run> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Ear ear;
    private final InstantSource clock;
    private final Counter observed;
    private final Thread teller;
    private volatile boolean closing;

    private Observer(Cluster cluster, Ear ear, PrometheusRegistry registry, InstantSource clock) {
        this.ear = ear;
        this.clock = clock;
        observed = Counter.builder()
                .name("berth_advisor_observed_runs_total")
                .help(
                        "Advised pods that ended, by what became of what they teach: taken, refused by the agent, failed (the pod did), unmeasurable or lost.")
                .labelNames("result")
                .register(registry);
        pods = Cache.of(cluster, Listing.of(Pod.class), Map.of(), Observer::slim);
        pods.onChange(this::changed);
        nodes = Cache.of(cluster, Listing.of(Node.class), Map.of(), node -> node.setStatus(null));
        teller = Thread.ofVirtual().name("observer").unstarted(this::work);
    }

    public static Observer start(Cluster cluster, Ear ear, PrometheusRegistry registry, InstantSource clock) {
        var observer = new Observer(cluster, ear, registry, clock);
        observer.nodes.start();
        observer.pods.start();
        observer.teller.start();
        return observer;
    }

    /** What is not known yet. */
    public Optional<String> problem() {
        return pods.synced() && nodes.synced() ? Optional.empty() : Optional.of("the pods and nodes are not known yet");
    }

    private static void slim(Pod pod) {
        pod.getMetadata().setOwnerReferences(List.of());
        var spec = pod.getSpec();
        spec.setVolumes(List.of());
        spec.setAffinity(null);
        for (var containers : List.of(
                spec.getContainers(), Objects.requireNonNullElse(spec.getInitContainers(), spec.getContainers()))) {
            containers.forEach(container -> {
                container.setEnv(List.of());
                container.setVolumeMounts(List.of());
                container.setCommand(List.of());
                container.setArgs(List.of());
            });
        }
    }

    private void changed(Change<Pod> change) {
        var pod = change.newest();
        var run = Run.of(pod);
        switch (change) {
            case Change.Removed<Pod> _ -> {
                run.ifPresent(gone -> history.vanished(gone, clock.instant()));
                told.remove(pod.getMetadata().getUid());
            }
            case Change.Added<Pod> _ -> run.ifPresent(this::saw);
            case Change.Updated<Pod> _ -> run.ifPresent(this::saw);
        }
    }

    private void saw(Run run) {
        boolean news = run.end().isPresent() && run.chosen().isPresent() && told.add(run.uid());
        history.saw(run, news && run.succeeded());
        if (!news) {
            return;
        }
        if (!run.succeeded()) {
            observed.labelValues("failed").inc();
        } else if (!waiting.offer(run)) {
            LOG.error("observation is lost, too many wait for the agent: pod={}", run.name());
            observed.labelValues("lost").inc();
            history.told(run);
        }
    }

    private void work() {
        try {
            while (!closing) {
                // A listing comes in any order: neighbours are known when all of it is.
                if (problem().isPresent()) {
                    Thread.sleep(SHORTEST_PAUSE);
                    continue;
                }
                var run = waiting.poll(SHORTEST_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (run != null) {
                    tellOrLose(run);
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** What nobody foresaw about one run must not keep the next ones from being told. */
    private void tellOrLose(Run run) throws InterruptedException {
        try {
            tell(run);
        } catch (RuntimeException broken) {
            LOG.error("observation is lost: pod={}", run.name(), broken);
            observed.labelValues("lost").inc();
            history.told(run);
        }
    }

    private void tell(Run run) throws InterruptedException {
        var observation = observation(run);
        if (observation.isEmpty()) {
            observed.labelValues("unmeasurable").inc();
            history.told(run);
            return;
        }
        var pause = SHORTEST_PAUSE;
        var reception = ear.tell(observation.get());
        while (reception == Ear.Reception.LATER && !closing) {
            Thread.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            reception = ear.tell(observation.get());
        }
        if (reception == Ear.Reception.LATER) {
            // We are closing: whoever starts next tells of it.
            return;
        }
        history.told(run);
        observed.labelValues(reception == Ear.Reception.TAKEN ? "taken" : "refused")
                .inc();
        LOG.info(
                "Observed pod {} job-type={} gpu={} seconds={} beside={} reception={}",
                run.name(),
                run.jobType(),
                observation.get().gpuType(),
                observation.get().seconds(),
                observation.get().colocated(),
                reception);
    }

    /** Empty for a run of no length that a clock could tell, and for one on a GPU that nobody can name. */
    private Optional<Observation> observation(Run run) {
        var seconds = run.end()
                .map(end -> Duration.between(run.start(), end).toMillis() / 1000.0)
                .orElse(0.0);
        return seconds > 0 && seconds <= Observation.MOST_SECONDS
                ? gpu(run).map(type ->
                        new Observation(run.jobType(), type, seconds, history.neighbours(run), Optional.of(run.uid())))
                : Optional.empty();
    }

    /** What its node says. The advice is believed of a node that is gone; one without a label may have any GPU. */
    private Optional<String> gpu(Run run) {
        var node = nodes.find("", run.node());
        return node.isPresent()
                ? node.map(found ->
                                Objects.requireNonNullElse(found.getMetadata().getLabels(), Map.<String, String>of()))
                        .flatMap(GpuTypes::typeOf)
                : run.chosen().filter(chosen -> !chosen.equals(Keys.UNKNOWN) && Names.isKept(chosen));
    }

    @Override
    public void close() {
        closing = true;
        pods.close();
        nodes.close();
        teller.interrupt();
        try {
            var _ = teller.join(CLOSE_PATIENCE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
