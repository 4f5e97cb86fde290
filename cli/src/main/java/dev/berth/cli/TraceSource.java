package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import dev.berth.simulator.BadTraceException;
import dev.berth.simulator.ClusterReader;
import dev.berth.simulator.Trace;
import dev.berth.simulator.TraceReader;
import dev.berth.simulator.WhatIf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where the nodes and pods of a simulation come from: a trace, a cluster that was written down, or one that runs. */
final class TraceSource {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String STDIN = "standard input";

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description = "The nodes of a trace: sn, cpu_milli, memory_mib, gpu, model.")
    private Optional<Path> nodes = Optional.empty();

    @Option(
            names = "--pods",
            paramLabel = "FILE",
            description = "Its pods: name, cpu_milli, memory_mib, num_gpu, gpu_milli, and gpu_spec if there is one.")
    private Optional<Path> pods = Optional.empty();

    @Option(
            names = "--cluster",
            paramLabel = "FILE",
            description =
                    "In place of both a cluster, as 'kubectl get nodes,pods -A -o json' prints it; - reads standard input.")
    private Optional<Path> cluster = Optional.empty();

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Option(
            names = "--what-if",
            paramLabel = "CHANGE",
            description =
                    "Change the nodes first: 'add 4 nodes of dgxh100', 'remove 2 nodes of T4'. A kind is a node's name, a GPU model, dgxa100 or dgxh100. May be repeated.")
    private List<String> changes = new ArrayList<>();

    Trace read(CommandLine command) throws IOException {
        try {
            var trace = given(command);
            for (var change : changes) {
                trace = WhatIf.parse(change).of(trace);
            }
            if (trace.cores() == 0) {
                throw new BadTraceException(nodes.map(Path::toString).orElse("the cluster"), "no node has a GPU");
            }
            if (trace.tasks().stream().allMatch(task -> task.cores() == 0)) {
                throw new BadTraceException(ofPods(), "no pod asks for a GPU");
            }
            return trace;
        } catch (BadTraceException bad) {
            throw new Complaint.BadInput(String.valueOf(bad.getMessage()));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command, "--what-if: " + wrong.getMessage());
        }
    }

    /** What the pods were read from. */
    String ofPods() {
        return pods.or(() -> cluster).map(Path::toString).orElse("the cluster");
    }

    private Trace given(CommandLine command) throws IOException {
        boolean table = nodes.isPresent() || pods.isPresent();
        boolean whole = nodes.isPresent() == pods.isPresent();
        long sources = Stream.of(table, cluster.isPresent(), kube.given())
                .filter(given -> given)
                .count();
        if (sources != 1 || !whole) {
            throw new ParameterException(
                    command, "give either --nodes and --pods, or --cluster, or --kubeconfig: whose pods are they?");
        }
        if (table) {
            return TraceReader.read(nodes.orElseThrow(), pods.orElseThrow());
        }
        if (kube.given()) {
            return running();
        }
        var file = cluster.orElseThrow();
        return file.toString().equals("-")
                ? ClusterReader.of(ClusterReader.parse(System.in.readAllBytes(), STDIN), STDIN)
                : ClusterReader.read(file);
    }

    private Trace running() {
        try (var connection = Cluster.connect(kube.settings())) {
            var all = JSON.createObjectNode();
            var items = all.putArray("items");
            Map.of("Node", "/api/v1/nodes", "Pod", "/api/v1/pods").forEach((kind, path) -> {
                var list = connection.courier().get(path, JsonNode.class).orElseGet(JSON::createObjectNode);
                // In a list of one kind the items do not say theirs.
                list.path("items").forEach(item -> items.add(((ObjectNode) item).put("kind", kind)));
            });
            return ClusterReader.of(all, "the cluster");
        }
    }
}
