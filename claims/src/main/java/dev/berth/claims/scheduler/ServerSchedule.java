package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.file.FileSchedule;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionException;
import dev.berth.kube.event.Events;
import dev.berth.kube.ledger.DoorCards;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.Reconciler;
import dev.berth.kube.schedule.PodFilter;
import dev.berth.kube.schedule.PodNews;
import dev.berth.kube.schedule.PodQueue;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Places pods of a server once, the way the running scheduler does, and says what became of them. */
public final class ServerSchedule {
    private static final Duration FILLING = Duration.ofSeconds(30);
    private static final int MOST_ATTEMPTS = 10;

    private final ClaimsWorld world;
    private final Ways ways;
    private final PodNews news;

    private ServerSchedule(ClaimsWorld world, Ways ways, PodNews news) {
        this.world = world;
        this.ways = ways;
        this.news = news;
    }

    /**
     * @param names the pods to place; when empty, every pod of the namespace that waits and has claims, or is this
     *     scheduler's
     * @throws ManifestException for a name that no pod has
     */
    public static FileSchedule.Result run(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> openLedgers,
            String schedulerName,
            Policy policy,
            String namespace,
            List<String> names) {
        var clock = cluster.clock();
        try (var world = new ClaimsWorld(cluster);
                var ledgers = openLedgers.apply(world.cards());
                var news = new PodNews(
                        cluster,
                        Events.start(cluster, schedulerName, "berth-schedule", clock, Events.Limits.STANDARD),
                        clock)) {
            var evidence = new ClaimEvidence(world.book(), world.catalogue(), world::synced);
            var resourceEvidence = new ResourceEvidence(world.resourceBook(), world.slices(), world::synced);
            var both = new BothEvidence(evidence, resourceEvidence);
            world.book().onChange((before, after) -> evidence.heard(before, after));
            world.resourceBook().onChange((before, after) -> resourceEvidence.heard(before, after));
            world.cards().onChange(ledgers::renamed);
            world.start();
            if (!world.awaitSynced(FILLING) || !synced(cluster, ledgers)) {
                throw new ConnectionException(
                        "the cluster's objects could not be read within " + FILLING.toSeconds() + " s");
            }
            for (var place : both.nodes()) {
                Reconciler.reconcile(ledgers, both, clock, place);
            }
            var underway = new Underway();
            var way = new PodWay(world, ledgers, policy, new Release(world, ledgers), underway, clock);
            var readiness = new DeviceReadiness(
                    world.resourceBook(), ClaimsScheduler.Settings.BINDING_TIMEOUT, DeviceReadiness.Aside.NOT);
            var resourceWay = new ResourceWay(world, ledgers, policy, underway, readiness, clock);
            var schedule = new ServerSchedule(world, new Ways(way, resourceWay), news);
            return schedule.place(
                    names.isEmpty() ? schedule.waiting(namespace, schedulerName) : schedule.named(namespace, names));
        }
    }

    private static boolean synced(Cluster cluster, NodeLedgers ledgers) {
        long deadline = System.nanoTime() + FILLING.toNanos();
        for (int looks = 1; !ledgers.synced(); looks++) {
            if (System.nanoTime() > deadline || !cluster.retry().pause(Math.min(looks, 3))) {
                return false;
            }
        }
        return true;
    }

    private List<Pod> named(String namespace, List<String> names) {
        var pods = new ArrayList<Pod>();
        for (var name : names) {
            pods.add(world.pods()
                    .find(namespace, name)
                    .orElseThrow(() -> new ManifestException("there is no pod %s/%s".formatted(namespace, name))));
        }
        return pods;
    }

    private List<Pod> waiting(String namespace, String schedulerName) {
        return world.pods().all().stream()
                .filter(pod -> namespace.equals(pod.getMetadata().getNamespace()))
                .filter(PodFilter::wantsANode)
                .filter(pod -> PodFilter.isOf(pod, schedulerName) || ResourceWay.hasClaims(pod) || claims(pod))
                .sorted(Comparator.comparing(PodFilter::ticket, PodQueue.Ticket.ORDER))
                .toList();
    }

    private boolean claims(Pod pod) {
        try {
            return PodClaims.read(Wire.manifest(world.cluster(), pod)).isPresent();
        } catch (ManifestException unreadable) {
            // It means to, and is told what is wrong with it.
            return true;
        }
    }

    private FileSchedule.Result place(List<Pod> pods) {
        var outcomes = new ArrayList<FileSchedule.Outcome>();
        Map<String, ObjectNode> written = new LinkedHashMap<>();
        for (var pod : pods) {
            if (!PodFilter.wantsANode(pod)) {
                outcomes.add(new FileSchedule.NotPlaced(Wire.name(pod), state(pod)));
                continue;
            }
            var outcome = place(pod);
            OutcomeNews.tell(news, pod, outcome);
            outcomes.add(said(pod, outcome));
            if (outcome instanceof Outcome.Placed placed) {
                placed.claims().forEach(claim -> written.put(id(claim), (ObjectNode) claim));
                var tree = Wire.tree(world.cluster(), pod);
                tree.withObject("/spec").put("nodeName", placed.node().value());
                written.put(id(tree), tree);
            }
        }
        return new FileSchedule.Result(outcomes, List.copyOf(written.values()));
    }

    private Outcome place(Pod pod) {
        Outcome outcome = new Outcome.LostRace("not tried");
        for (int attempt = 1; attempt <= MOST_ATTEMPTS && outcome instanceof Outcome.LostRace; attempt++) {
            outcome = ways.decide(pod).get();
        }
        return outcome;
    }

    private static String state(Pod pod) {
        var node = pod.getSpec().getNodeName();
        return node != null && !node.isEmpty() ? "it is on %s already".formatted(node) : "it does not wait for a node";
    }

    private static FileSchedule.Outcome said(Pod pod, Outcome outcome) {
        var name = Wire.name(pod);
        return switch (outcome) {
            case Outcome.Placed placed ->
                new FileSchedule.Placed(name, placed.node().value(), devices(placed.claims()), placed.why());
            case Outcome.Refused(var note, List<String> _) -> new FileSchedule.NotPlaced(name, note);
            case Outcome.LostRace(var why) -> new FileSchedule.NotPlaced(name, why);
            case Outcome.Failed(var why) -> new FileSchedule.NotPlaced(name, why);
            case Outcome.NotWanted _ -> new FileSchedule.NotPlaced(name, "it was bound by another, or is gone");
        };
    }

    private static Map<String, List<String>> devices(List<JsonNode> claims) {
        Map<String, List<String>> devices = new LinkedHashMap<>();
        for (var claim : claims) {
            devices.put(
                    claim.at("/metadata/name").asText(),
                    Stream.concat(
                                    claim.at("/status/allocations")
                                            .valueStream()
                                            .map(each -> each.path("devicePoolName")
                                                            .asText() + "/"
                                                    + each.path("deviceName").asText()),
                                    claim.at("/status/allocation/devices/results")
                                            .valueStream()
                                            .map(each -> each.path("pool").asText() + "/"
                                                    + each.path("device").asText()))
                            .toList());
        }
        return devices;
    }

    private static String id(JsonNode object) {
        return "%s/%s/%s"
                .formatted(
                        object.path("kind").asText(),
                        object.at("/metadata/namespace").asText(),
                        object.at("/metadata/name").asText());
    }
}
