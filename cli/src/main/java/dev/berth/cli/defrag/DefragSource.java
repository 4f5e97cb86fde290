package dev.berth.cli.defrag;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.cli.Complaint;
import dev.berth.cli.explain.Sight;
import dev.berth.core.NodeName;
import dev.berth.core.share.SharePolicies;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.KubeFlags;
import dev.berth.kube.cache.Change;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.simulator.BadTraceException;
import dev.berth.simulator.ClusterReader;
import dev.berth.simulator.Fill;
import dev.berth.simulator.TraceReader;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Whose pods are to be moved: a running cluster's, one's that was written down, or a simulated one's. */
final class DefragSource {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private static final List<String> OF_A_TRACE = List.of("--policy", "--seed", "--arrive");

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Option(
            names = "--cluster",
            paramLabel = "FILE",
            description =
                    "In place of a running cluster one as 'kubectl get nodes,pods -A -o json' prints it; - reads stdin.")
    private Optional<Path> cluster = Optional.empty();

    @Option(names = "--nodes", paramLabel = "FILE", description = "The nodes of a trace, which is simulated first.")
    private Optional<Path> nodes = Optional.empty();

    @Option(names = "--pods", paramLabel = "FILE", description = "Its pods.")
    private Optional<Path> pods = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            defaultValue = "berth",
            description = "With a trace: who fills the cluster (default: ${DEFAULT-VALUE}).")
    private String policy = "";

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "42",
            description = "With a trace: the run's seed (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--arrive",
            paramLabel = "PART",
            defaultValue = "1.3",
            description =
                    "With a trace: pods arrive until they have asked for this part of all GPUs (default: ${DEFAULT-VALUE}).")
    private double arrive;

    /** Whether what is given makes sense together; what is wrong if not. */
    Optional<String> problem(ParseResult options) {
        int given = (trace() ? 1 : 0) + (cluster.isPresent() ? 1 : 0) + (kube.given() ? 1 : 0);
        if (given > 1 || nodes.isPresent() != pods.isPresent()) {
            return Optional.of("give either --kubeconfig, or --cluster, or --nodes and --pods: whose pods are they?");
        }
        var stray = OF_A_TRACE.stream().filter(options::hasMatchedOption).findFirst();
        if (!trace() && stray.isPresent()) {
            return stray.map(option -> option + " says how a trace is simulated: give it with --nodes and --pods");
        }
        if (trace() && !SharePolicies.names().contains(policy)) {
            return Optional.of("no policy is called '%s'; there are: %s"
                    .formatted(policy, String.join(", ", SharePolicies.names())));
        }
        return arrive > 0 && arrive <= 100
                ? Optional.empty()
                : Optional.of("--arrive takes more than 0 and at most 100, not " + arrive);
    }

    boolean trace() {
        return nodes.isPresent() || pods.isPresent();
    }

    boolean running() {
        return !trace() && cluster.isEmpty();
    }

    ConnectionSettings connection() {
        return kube.settings();
    }

    static ClusterLayout running(Sight sight) {
        var lookout = sight.lookout();
        Map<NodeName, Cards> cards = new HashMap<>();
        for (var node : lookout.nodes().all()) {
            cards.put(new NodeName(node.getMetadata().getName()), Cards.of(sight.report(node)));
        }
        return new ClusterLayout(lookout.rooms().all(), cards, lookout.pods().all(), lookout::namespaceLabels);
    }

    Situation simulated() throws IOException {
        try {
            var trace = TraceReader.read(nodes.orElseThrow(), pods.orElseThrow());
            var settlement = new Fill(trace, arrive).settlement(policy, seed);
            var waiting = settlement.waiting().stream()
                    .filter(task -> task.cores() > 0)
                    .map(task -> new Situation.Waiting(task.name(), settlement.need(task)))
                    .toList();
            return new Situation(settlement.layout(), waiting, Map.of());
        } catch (BadTraceException bad) {
            throw new Complaint.BadInput(String.valueOf(bad.getMessage()));
        }
    }

    ClusterLayout written() throws IOException {
        var file = cluster.orElseThrow();
        boolean stdin = file.toString().equals("-");
        var name = stdin ? "standard input" : file.toString();
        try {
            var list = ClusterReader.parse(stdin ? System.in.readAllBytes() : Files.readAllBytes(file), name);
            if (!list.path("items").isArray()) {
                throw new Complaint.BadInput(
                        name + ": has no items: kubectl get nodes,pods -A -o json prints what is needed");
            }
            return written(list.path("items"), name);
        } catch (NoSuchFileException missing) {
            throw new Complaint.BadInput("there is no file " + file);
        } catch (BadTraceException notJson) {
            throw new Complaint.BadInput(String.valueOf(notJson.getMessage()));
        } catch (JsonProcessingException noObject) {
            throw new Complaint.BadInput(
                    "%s: holds what is no node or pod: %s".formatted(name, noObject.getOriginalMessage()));
        }
    }

    private static ClusterLayout written(JsonNode items, String name) throws JsonProcessingException {
        var rooms = new NodeRooms();
        Map<NodeName, Cards> cards = new HashMap<>();
        List<Pod> all = new ArrayList<>();
        for (var item : items) {
            switch (item.path("kind").asText()) {
                case "Node" -> {
                    var node = JSON.treeToValue(item, Node.class);
                    rooms.heardNode(new Change.Added<>(node));
                    cards.put(new NodeName(node.getMetadata().getName()), Cards.of(node));
                }
                case "Pod" -> all.add(JSON.treeToValue(item, Pod.class));
                default -> {
                    // Whatever else was asked for is no part of this.
                }
            }
        }
        try {
            all.forEach(pod -> rooms.heardPod(new Change.Added<>(pod)));
            return new ClusterLayout(rooms.all(), cards, all, _ -> Map.of());
        } catch (IllegalArgumentException malformed) {
            throw new Complaint.BadInput("%s: %s".formatted(name, malformed.getMessage()));
        }
    }
}
