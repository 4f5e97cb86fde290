package dev.berth.extender.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Slice;
import dev.berth.extender.board.Board;
import dev.berth.extender.wire.Candidate;
import dev.berth.extender.wire.FilterReader;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.extender.wire.Names;
import dev.berth.extender.wire.PodReader;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.pod.BindingOutcome;
import dev.berth.kube.pod.Bindings;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.StreamSupport;

/** The extender API's verbs beside the filter: prioritize, bind and preempt. */
public final class OtherVerbs {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration BIND = Duration.ofMillis(4_500);
    private static final int BEST = 10;

    private final FilterReader reader;
    private final Board board;
    private final Chooser chooser;
    private final Pods pods;
    private final NodeLedgers ledgers;
    private final Bindings bindings;
    private final PodNotes notes;
    private final Supplier<Optional<String>> notReady;
    private final InstantSource clock;
    private final InTime inTime = new InTime();

    OtherVerbs(
            Cluster cluster,
            FilterReader reader,
            Board board,
            Chooser chooser,
            Pods pods,
            NodeLedgers ledgers,
            Supplier<Optional<String>> notReady,
            InstantSource clock) {
        this.reader = reader;
        this.board = board;
        this.chooser = chooser;
        this.pods = pods;
        this.ledgers = ledgers;
        this.bindings = new Bindings(cluster);
        this.notes = new PodNotes(cluster);
        this.notReady = notReady;
        this.clock = clock;
    }

    /**
     * How good each node is: for a pod that wants GPUs, the fuller the better; for others, those without any.
     *
     * @throws MalformedRequestException for a body that makes no sense: the reply has no room for an error
     */
    public byte[] prioritize(byte[] body) {
        var request = reader.read(body);
        var reply = JsonNodeFactory.instance.arrayNode();
        var decided = board.whereabouts(request.pod().id());
        for (var candidate : request.candidates()) {
            reply.addObject().put("Host", candidate.name()).put("Score", score(request.pod(), candidate, decided));
        }
        return bytes(reply);
    }

    private long score(GpuPod pod, Candidate candidate, Set<String> decided) {
        var gpus = gpus(candidate, pod.id());
        int devices = gpus.map(GpuNode::devices).orElse(0);
        if (!pod.needsGpu()) {
            return devices == 0 ? 1 : 0;
        }
        if (!decided.isEmpty()) {
            return decided.contains(candidate.name()) ? BEST : 0;
        }
        if (devices == 0) {
            return 0;
        }
        long all = (long) devices * Slice.WHOLE;
        return BEST * (all - gpus.map(GpuNode::freeCores).orElse(all)) / all;
    }

    private Optional<GpuNode> gpus(Candidate candidate, String exceptHolder) {
        return candidate
                .described()
                .map(described -> board.gpus(candidate.name(), described.capacity(), exceptHolder))
                .or(() -> board.view(candidate.name(), exceptHolder).map(Board.View::gpus));
    }

    /** Binds the pod, a GPU pod only where the ledger still holds its devices. */
    public byte[] bind(byte[] body) {
        String problem;
        try {
            var request = tree(body);
            var namespace = text(request, "PodNamespace");
            var name = text(request, "PodName");
            var uid = text(request, "PodUID");
            var node = text(request, "Node");
            problem = inTime.run("bind-" + uid, BIND, () -> bind(namespace, name, uid, node))
                    .orElse("the API server did not answer in time; whether pod %s/%s is bound is not known"
                            .formatted(namespace, name));
        } catch (MalformedRequestException malformed) {
            problem = malformed.problem();
        }
        return bytes(JsonNodeFactory.instance.objectNode().put("Error", problem));
    }

    private String bind(String namespace, String name, String uid, String node) {
        var waiting = notReady.get();
        if (waiting.isPresent()) {
            return waiting.get();
        }
        try {
            var asked = new GpuPod(namespace, name, uid, "", "", Map.of(), List.of(), List.of(), false);
            var known = pods.find(namespace, name)
                    .map(PodReader::read)
                    .filter(pod -> pod.uid().equals(uid))
                    .or(() -> notes.read(asked, BIND));
            if (known.isEmpty()) {
                return "pod %s/%s is gone".formatted(namespace, name);
            }
            var where = new NodeName(node);
            if (known.get().needsGpu() && !decided(uid, where)) {
                return "the decision for pod %s/%s on node %s does not stand any more; schedule it again"
                        .formatted(namespace, name, node);
            }
            return switch (bindings.bind(namespace, name, uid, where, Map.of())) {
                case BindingOutcome.Bound _ -> "";
                case BindingOutcome.AlreadyBound(var there) ->
                    there.equals(node) ? "" : "pod %s/%s is bound to node %s".formatted(namespace, name, there);
                case BindingOutcome.Gone _ -> "pod %s/%s is gone".formatted(namespace, name);
                case BindingOutcome.Refused(var reason) -> reason;
            };
        } catch (KubernetesClientException problem) {
            return "the API server did not answer: " + Failure.words(problem);
        }
    }

    private boolean decided(String uid, NodeName node) {
        var now = clock.instant();
        var lines = ledgers.ledger().of(node).of(uid);
        return (lines.isEmpty() ? ledgers.read(node).of(uid) : lines).stream().anyMatch(entry -> !entry.expiredAt(now));
    }

    /**
     * Of the nodes on which the scheduler would evict pods, those where that makes room on the devices, within quota.
     */
    public byte[] preempt(byte[] body) {
        var reply = JsonNodeFactory.instance.objectNode();
        var kept = reply.putObject("NodeNameToMetaVictims");
        try {
            var request = tree(body);
            var pod = PodReader.read(field(request, "Pod"));
            boolean unknown = notReady.get().isPresent();
            for (var key : new String[] {"NodeNameToMetaVictims", "NodeNameToVictims"}) {
                field(request, key).properties().forEach(each -> {
                    var victims = victims(each.getValue());
                    if (unknown || !pod.needsGpu() || fits(pod, each.getKey(), victims)) {
                        var meta = kept.putObject(each.getKey());
                        var list = meta.putArray("Pods");
                        victims.forEach(uid -> list.addObject().put("UID", uid));
                        meta.put(
                                "NumPDBViolations",
                                field(each.getValue(), "NumPDBViolations").asLong());
                    }
                });
            }
        } catch (MalformedRequestException malformed) {
            // The reply has no room for an error: no node is the answer that evicts nobody.
            kept.removeAll();
        }
        return bytes(reply);
    }

    private static Set<String> victims(JsonNode node) {
        // kube-scheduler puts the most important pod first and compares nodes by it.
        var uids = new LinkedHashSet<String>();
        StreamSupport.stream(field(node, "Pods").spliterator(), false)
                .map(pod -> field(pod, "UID")
                        .asText(pod.path("metadata").path("uid").asText()))
                .filter(uid -> !uid.isEmpty())
                .forEach(uids::add);
        return uids;
    }

    private boolean fits(GpuPod pod, String node, Set<String> victims) {
        var gone = new HashSet<>(victims);
        gone.add(pod.id());
        return chooser.mayHave(pod, node, gone)
                && board.without(node, entry -> gone.contains(id(entry)))
                        .filter(gpus -> chooser.place(gpus, pod.demand()).isPresent())
                        .isPresent();
    }

    private static String id(Entry entry) {
        return entry.holder().id();
    }

    private static JsonNode tree(byte[] body) {
        try {
            var tree = JSON.readTree(body);
            if (tree == null || tree.isMissingNode()) {
                throw new MalformedRequestException("EOF");
            }
            if (!tree.isObject()) {
                throw new MalformedRequestException("the request is not a JSON object");
            }
            return tree;
        } catch (IOException malformed) {
            throw new MalformedRequestException("the request is not valid JSON");
        }
    }

    /** In any letter case, as Go takes it. */
    private static JsonNode field(JsonNode object, String name) {
        var exact = object.path(name);
        if (!exact.isMissingNode()) {
            return exact;
        }
        return object.properties().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(exact);
    }

    private static String text(JsonNode object, String name) {
        var value = field(object, name).asText();
        if (value.isEmpty()) {
            throw new MalformedRequestException("the request has no " + name);
        }
        Names.require(name, value);
        return value;
    }

    private static byte[] bytes(JsonNode tree) {
        return tree.toString().getBytes(StandardCharsets.UTF_8);
    }
}
