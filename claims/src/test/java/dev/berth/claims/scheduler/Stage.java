package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.core.policy.Listed;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.NamedLedgers;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The embedded API server with the prototype's kinds, and schedulers that run against it. */
final class Stage implements AutoCloseable {
    static final String GPU_CLAIM = "{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"gpu\"}]}}";

    private final Deque<Runnable> closers = new ArrayDeque<>();
    private final ApiServer server;
    private final Cluster cluster;

    Stage() {
        this(ApiServer.start(ApiServerSettings.defaults().withPort(0)));
        installPrototype();
    }

    private Stage(ApiServer server) {
        this.server = server;
        closers.push(server::close);
        cluster = connect();
        NodeLedgerDefinition.install(cluster);
    }

    /** A cluster of somebody who has never heard of the prototype: its kinds are not there. */
    static Stage withoutPrototype() {
        return new Stage(ApiServer.start(ApiServerSettings.defaults().withPort(0)));
    }

    private void installPrototype() {
        ClaimDefinitions.yaml().forEach(this::apply);
        await("the kinds are served", () -> {
            var resources = cluster.client().getApiResources("devmgmtproto.k8s.io/v1alpha1");
            return resources != null
                    && resources.getResources().stream()
                                    .filter(each -> !each.getName().contains("/"))
                                    .count()
                            == 5;
        });
        apply("""
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: gpu}
                spec: {definition: {driver: gpus}}
                """);
    }

    Cluster connect() {
        var connection = Cluster.connect(new ConnectionSettings.At(URI.create(server.url())));
        closers.push(connection::close);
        return connection;
    }

    Cluster cluster() {
        return cluster;
    }

    ClaimsScheduler scheduler(String name) {
        return scheduler(name, name + "-lease");
    }

    ClaimsScheduler scheduler(String name, String lease) {
        return scheduler(name, lease, ClaimsScheduler.Settings.BINDING_TIMEOUT);
    }

    ClaimsScheduler scheduler(String name, String lease, Duration bindingTimeout) {
        var settings = new ClaimsScheduler.Settings(
                name,
                new Listed(),
                "replica-" + closers.size(),
                "default",
                lease,
                new LeaderElection.Timing(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(100)),
                bindingTimeout);
        var connection = connect();
        var scheduler = ClaimsScheduler.start(
                connection,
                cards -> NamedLedgers.shared(connection, cards),
                settings,
                new PrometheusRegistry(),
                InstantSource.system());
        closers.push(scheduler::close);
        return scheduler;
    }

    private void create(JsonNode object) {
        try {
            cluster.client().raw(path(object), "POST", object);
        } catch (KubernetesClientException problem) {
            if (Failure.of(problem) != Failure.CONFLICT) {
                throw problem;
            }
        }
    }

    private static String path(JsonNode object) {
        var version = object.path("apiVersion").asText();
        var kind = object.path("kind").asText().toLowerCase(java.util.Locale.ROOT);
        var namespace = object.at("/metadata/namespace").asText();
        return "/%s/%s%s%s"
                .formatted(
                        version.contains("/") ? "apis" : "api",
                        version,
                        namespace.isEmpty() ? "/" : "/namespaces/%s/".formatted(namespace),
                        kind + (kind.endsWith("class") ? "es" : "s"));
    }

    /** Creates what the YAML says and is not there. */
    void apply(String yaml) {
        try {
            var parser = new YAMLFactory().createParser(yaml);
            var documents =
                    new ObjectMapper().readValues(parser, JsonNode.class).readAll();
            for (var document : documents) {
                create(document);
            }
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** A node with four cores, and a pool of so many GPUs on it. */
    void node(String name, int gpus) {
        apply("""
                apiVersion: v1
                kind: Node
                metadata: {name: %s}
                """.formatted(name));
        patchNode(name, "{\"spec\": {\"taints\": null}}");
        cluster.client().raw("/api/v1/nodes/%s/status".formatted(name), "PUT", """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"}, "status": {
                  "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
                  "conditions": [{"type": "Ready", "status": "True"}]}}
                """.formatted(name));
        if (gpus > 0) {
            pool(name + "-pool", "nodeName: " + name, gpus);
        }
    }

    /** Whatever the server's own controllers do to the node meanwhile. */
    void patchNode(String name, String merge) {
        cluster.client().nodes().withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), merge);
    }

    void pool(String name, String where, int gpus) {
        var devices = new ArrayList<String>();
        for (int i = 0; i < gpus; i++) {
            devices.add("{name: dev-%02d}".formatted(i));
        }
        apply("""
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DevicePool
                metadata: {name: %s}
                spec: {driver: gpus, %s, devices: [%s]}
                """.formatted(name, where, String.join(", ", devices)));
    }

    /** A pod of this scheduler with this JSON as its claims; none when it is empty. */
    Pod pod(String name, String scheduler, String claims, String cpu) {
        var annotation =
                claims.isEmpty() ? "" : "annotations: {devmgmtproto.k8s.io/device-claims: '%s'}".formatted(claims);
        apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default, %s}
                spec:
                  schedulerName: %s
                  containers: [{name: main, image: none, resources: {requests: {cpu: "%s"}}}]
                """.formatted(name, annotation, scheduler, cpu));
        return pod(name);
    }

    Pod gpuPod(String name) {
        return pod(name, "berth", GPU_CLAIM, "10m");
    }

    Pod pod(String name) {
        return cluster.client().pods().inNamespace("default").withName(name).get();
    }

    String nodeOf(String pod) {
        var found = pod(pod);
        return found == null || found.getSpec().getNodeName() == null
                ? ""
                : found.getSpec().getNodeName();
    }

    String awaitNode(String pod) {
        await(pod + " has a node: " + whyNot(pod), () -> !nodeOf(pod).isEmpty());
        return nodeOf(pod);
    }

    String whyNot(String pod) {
        var found = pod(pod);
        if (found == null || found.getStatus() == null || found.getStatus().getConditions() == null) {
            return "";
        }
        return found.getStatus().getConditions().stream()
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .map(condition -> condition.getReason() + ": " + condition.getMessage())
                .findFirst()
                .orElse("");
    }

    String awaitRefusal(String pod) {
        await(pod + " is refused", () -> !whyNot(pod).isEmpty());
        return whyNot(pod);
    }

    JsonNode claim(String name) {
        return cluster.client()
                .getKubernetesSerialization()
                .unmarshal(cluster.client().raw(Kind.CLAIM.path("default", name), "GET", null), JsonNode.class);
    }

    /** The devices of a claim: {@code pool/device}. */
    List<String> devicesOf(String claim) {
        return claim(claim)
                .at("/status/allocations")
                .valueStream()
                .map(each -> each.path("devicePoolName").asText() + "/"
                        + each.path("deviceName").asText())
                .toList();
    }

    void awaitClaim(String name, Predicate<JsonNode> condition) {
        await("claim " + name, () -> condition.test(claim(name)));
    }

    void finish(String pod) {
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(pod)
                .subresource("status")
                .edit(each -> {
                    each.getStatus().setPhase("Succeeded");
                    return each;
                });
    }

    void delete(String pod) {
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(pod)
                .withGracePeriod(0)
                .delete();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    @Override
    public void close() {
        closers.forEach(Runnable::run);
    }
}
