package dev.berth.pinner.scheduler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.core.DeviceId;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.NamedLedgers;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import dev.berth.kube.ledger.SharedNodeLedgers;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The embedded API server, and pinners that run against it. */
final class Stage implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final ApiServer server;
    private final Cluster cluster;
    private final SharedNodeLedgers ledgers;

    Stage() {
        server = ApiServer.start(ApiServerSettings.defaults().withPort(0).withoutControllers());
        closers.push(server::close);
        cluster = connect();
        NodeLedgerDefinition.install(cluster);
        ledgers = new SharedNodeLedgers(cluster, _ -> OptionalInt.empty());
        closers.push(ledgers::close);
    }

    private Cluster connect() {
        var connection = Cluster.connect(new ConnectionSettings.At(URI.create(server.url())));
        closers.push(connection::close);
        return connection;
    }

    Cluster cluster() {
        return cluster;
    }

    PinnerScheduler scheduler() {
        return scheduler(false, Optional.empty());
    }

    PinnerScheduler scheduler(boolean exclusive, Optional<String> lease) {
        var connection = connect();
        var election = lease.map(name -> new PinnerScheduler.Election(
                "default",
                name,
                new LeaderElection.Timing(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(100))));
        var scheduler = PinnerScheduler.start(
                connection,
                cards -> NamedLedgers.shared(connection, cards),
                new PinnerScheduler.Settings("gpu-scheduler", exclusive, "replica-" + closers.size(), election),
                new PrometheusRegistry(),
                InstantSource.system());
        closers.push(scheduler::close);
        return scheduler;
    }

    /** A Ready node with four cores and so many GPUs; negative for one that does not say. */
    void node(String name, String label, int gpus) {
        var node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
        node.putObject("metadata").put("name", name);
        if (!label.isEmpty()) {
            node.withObject("/metadata").putObject("labels").put("gpu-node-name", label);
        }
        var status = node.putObject("status");
        for (var list : List.of("capacity", "allocatable")) {
            var amounts =
                    status.putObject(list).put("cpu", "4").put("memory", "8Gi").put("pods", "500");
            if (gpus >= 0) {
                amounts.put("nvidia.com/gpu", Integer.toString(gpus));
            }
        }
        status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
        cluster.client().raw("/api/v1/nodes", "POST", node);
        patchNode(name, "{\"spec\": {\"taints\": null}}");
    }

    void patchNode(String name, String patch) {
        cluster.client().nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }

    /** Which UUID each GPU of the node has, from index 0 on. */
    void publishUuids(String node, String uuids) {
        patchNode(node, "{\"metadata\": {\"annotations\": {\"berth.dev/gpu-uuids\": \"%s\"}}}".formatted(uuids));
    }

    void ready(String node, boolean ready) {
        cluster.client().nodes().withName(node).editStatus(each -> {
            each.getStatus().getConditions().forEach(condition -> condition.setStatus(ready ? "True" : "False"));
            return each;
        });
    }

    static ObjectNode pod(String name, String map) {
        var pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", name).put("namespace", "default");
        if (!map.isEmpty()) {
            pod.withObject("/metadata").putObject("annotations").put("gpu-scheduling-map", map);
        }
        pod.putObject("spec").put("schedulerName", "gpu-scheduler");
        pod.withObject("/spec")
                .putArray("containers")
                .addObject()
                .put("name", "main")
                .put("image", "none");
        return pod;
    }

    void create(ObjectNode pod) {
        cluster.client().raw("/api/v1/namespaces/default/pods", "POST", pod);
    }

    void replica(String name, String map) {
        create(pod(name, map));
    }

    void annotate(String name, String map) {
        var patch = JSON.createObjectNode();
        patch.putObject("metadata").putObject("annotations").put("gpu-scheduling-map", map);
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(name)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
    }

    void delete(String name) {
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(name)
                .withGracePeriod(0)
                .delete();
    }

    Pod find(String name) {
        return cluster.client().pods().inNamespace("default").withName(name).get();
    }

    String nodeOf(String name) {
        return Objects.requireNonNullElse(find(name).getSpec().getNodeName(), "");
    }

    String awaitNode(String name) {
        await(name + " has a node", () -> !nodeOf(name).isEmpty());
        return nodeOf(name);
    }

    /** Why the pod waits, once it was told. */
    String awaitRefusal(String name, String part) {
        await(
                name + " is told " + part + ", not " + refusal(name),
                () -> refusal(name).contains(part));
        return refusal(name);
    }

    private String refusal(String name) {
        var conditions = find(name).getStatus().getConditions();
        return conditions == null
                ? ""
                : conditions.stream()
                        .filter(each -> each.getType().equals("PodScheduled")
                                && each.getStatus().equals("False"))
                        .map(each -> each.getReason() + ": " + each.getMessage())
                        .findFirst()
                        .orElse("");
    }

    List<String> notes(String pod, String reason) {
        return cluster.client().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(pod)
                        && event.getReason().equals(reason))
                .map(event -> event.getNote())
                .toList();
    }

    /** The pods that hold this GPU, as the ledger says. */
    List<String> holders(String node, int gpu) {
        return ledgers.read(new NodeName(node)).of(DeviceId.ofIndex(gpu)).stream()
                .map(entry -> entry.holder().name())
                .toList();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        while (!closers.isEmpty()) {
            closers.pop().run();
        }
    }
}
