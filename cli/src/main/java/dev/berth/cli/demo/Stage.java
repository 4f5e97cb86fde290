package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Arrival;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.pod.Sighting;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Plays a day on a cluster of its own: does what the script says, and prints a line for each thing that happens. */
public final class Stage implements AutoCloseable {
    public static final String NAMESPACE = "default";

    private static final LocalTime MORNING = LocalTime.of(8, 0);
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm");
    private static final double MILLIS = 1000.0;

    private final Cluster cluster;
    private final double speed;
    private final PrintWriter out;
    private final long start = System.nanoTime();
    private final Cache<Event> events;

    /** @param speed how many seconds of the day pass in one of ours */
    public Stage(Cluster cluster, double speed, PrintWriter out) {
        this.cluster = cluster;
        this.speed = speed;
        this.out = out;
        this.events = Cache.of(cluster, Listing.of(Event.class).in(NAMESPACE));
        events.onChange(this::heard);
        events.start();
    }

    /** Plays it to its end. */
    public void play(Day day) throws InterruptedException {
        for (var moment : day.moments()) {
            until(moment.at());
            try {
                perform(moment.scene());
            } catch (KubernetesClientException refused) {
                say("refused", "%s: %s".formatted(name(moment.scene()), Failure.words(refused)));
            }
        }
        until(day.length());
        var pods = cluster.client().pods().inNamespace(NAMESPACE).list().getItems();
        long waiting = pods.stream()
                .filter(pod -> !Sighting.finished(pod) && pod.getSpec().getNodeName() == null)
                .count();
        long done = pods.stream().filter(Sighting::finished).count();
        say(
                "evening",
                "%d pods: %d done, %d running, %d waiting"
                        .formatted(pods.size(), done, pods.size() - done - waiting, waiting));
    }

    private void until(Duration time) throws InterruptedException {
        long due = start + (long) (time.toNanos() / speed);
        TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
    }

    private void perform(Scene scene) {
        switch (scene) {
            case Arrival arrival -> arrive(arrival);
            case Scene.NodeFails(var node) -> {
                say("failure", "%s does not answer any more".formatted(node));
                ready(node, "False");
                evict(node, "lost with its node");
            }
            case Scene.NodeReturns(var node) -> {
                say("repaired", "%s is back".formatted(node));
                ready(node, "True");
            }
            case Scene.Drain(var node) -> {
                say("drain", "%s is closed for new pods and emptied".formatted(node));
                cordon(node, true);
                evict(node, "evicted");
            }
            case Scene.Reopen(var node) -> {
                say("reopened", "%s takes pods again".formatted(node));
                cordon(node, false);
            }
            case Scene.Quota quota -> {
                say(
                        "quota",
                        quota.lifted()
                                ? "the limit is lifted"
                                : "the quota of %s is cut to %d GPUs of each model".formatted(NAMESPACE, quota.gpus()));
                write(quota);
            }
        }
    }

    private static String name(Scene scene) {
        return scene instanceof Arrival arrival
                ? arrival.name()
                : scene.getClass().getSimpleName();
    }

    private void arrive(Arrival arrival) {
        say("arrival", "%s wants %s".formatted(arrival.name(), Pods.words(arrival)));
        var seconds = arrival.runs().toMillis() / MILLIS / speed;
        var pod = cluster.serialization().unmarshal(Pods.yaml(arrival, seconds), Pod.class);
        cluster.client().pods().inNamespace(NAMESPACE).resource(pod).create();
    }

    private void ready(String node, String status) {
        cluster.client()
                .nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.STRATEGIC_MERGE),
                        "{\"status\": {\"conditions\": [{\"type\": \"Ready\", \"status\": \"%s\", \"reason\": \"Demo\"}]}}"
                                .formatted(status));
    }

    private void cordon(String node, boolean closed) {
        cluster.client()
                .nodes()
                .withName(node)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\": {\"unschedulable\": %s}}".formatted(closed));
    }

    private void evict(String node, String what) {
        for (var pod : cluster.client().pods().inNamespace(NAMESPACE).list().getItems()) {
            if (node.equals(pod.getSpec().getNodeName()) && !Sighting.finished(pod)) {
                say("evicted", "%s: %s".formatted(pod.getMetadata().getName(), what));
                cluster.client()
                        .pods()
                        .inNamespace(NAMESPACE)
                        .withName(pod.getMetadata().getName())
                        .withGracePeriod(0)
                        .delete();
            }
        }
    }

    private void write(Scene.Quota quota) {
        var limits = quota.lifted()
                ? "{}"
                : "{\"%s\": {\"quota\": {\"A100\": %d, \"H100\": %d, \"L4\": %d, \"T4\": %d}}}"
                        .formatted(NAMESPACE, quota.gpus(), quota.gpus(), quota.gpus(), quota.gpus());
        var configuration = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("kube-system")
                .withName("gpuquota")
                .endMetadata()
                .withData(Map.of("gpu_quota", limits))
                .build();
        var there = cluster.client().configMaps().inNamespace("kube-system").withName("gpuquota");
        if (there.get() == null) {
            cluster.client().resource(configuration).create();
        } else {
            there.edit(before -> new ConfigMapBuilder(before)
                    .withData(configuration.getData())
                    .build());
        }
    }

    private void heard(Change<Event> change) {
        if (change instanceof Change.Added<Event>(var event)) {
            var regarding = event.getRegarding();
            if (regarding != null && "Pod".equals(regarding.getKind())) {
                say(
                        String.valueOf(event.getReason()).equals("FailedScheduling") ? "waits" : "placed",
                        "%s: %s".formatted(regarding.getName(), event.getNote()));
            }
        }
    }

    private synchronized void say(String what, String words) {
        var passed = Duration.ofNanos((long) ((System.nanoTime() - start) * speed));
        out.printf("%s  %-9s %s%n", CLOCK.format(MORNING.plus(passed)), what, words);
        out.flush();
    }

    @Override
    public void close() {
        events.close();
    }
}
