package dev.berth.extender;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NamedLedgers;
import dev.berth.kube.ledger.NodeLedger;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.OwnNodeLedgers;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Extenders, the embedded API server behind them, and a scheduler that talks HTTP to them. */
final class Stage implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String CORES = "tencent.com/vcuda-core";
    static final String MEMORY = "tencent.com/vcuda-memory";
    static final String INDEX = "tencent.com/predicate-gpu-idx-";

    private final Deque<Runnable> parts = new ArrayDeque<>();
    private final ApiServer server;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    private final boolean shared;
    private final ExtenderSettings settings;
    final Cluster cluster;
    final Metrics metrics = new Metrics();
    private final HttpServer web;

    Stage(boolean shared) {
        this(shared, ExtenderSettings.DEFAULT);
    }

    Stage(boolean shared, ExtenderSettings settings) {
        this.shared = shared;
        this.settings = settings;
        server = opened(ApiServer.start(ApiServerSettings.defaults().withPort(0)), ApiServer::close);
        cluster = opened(Cluster.connect(new ConnectionSettings.At(URI.create(server.url()))), Cluster::close);
        if (shared) {
            NodeLedgerDefinition.install(cluster);
        }
        web = replica(metrics);
    }

    /** Another extender on the same API server. */
    HttpServer replica(Metrics figures) {
        var extender = opened(
                Extender.start(
                        cluster,
                        cards -> shared ? NamedLedgers.shared(cluster, cards) : (NodeLedgers) new OwnNodeLedgers(),
                        settings,
                        "stage",
                        "berth-test",
                        figures,
                        () -> Instant.now().plus(ahead.get())),
                Extender::close);
        var served = opened(
                HttpServer.start(List.of(
                        new Listener("extender", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, extender::routes))),
                HttpServer::close);
        try {
            if (!extender.health().awaitReady(Duration.ofSeconds(30))) {
                throw new AssertionError("the extender is not ready");
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        return served;
    }

    private <T> T opened(T part, Consumer<T> close) {
        parts.push(() -> close.accept(part));
        return part;
    }

    String kubernetes() {
        return server.url();
    }

    /** Puts the extenders' clocks forward, not anybody else's. */
    void pass(Duration time) {
        ahead.updateAndGet(time::plus);
    }

    /** A node in the API server, known to the extender when this returns. */
    void node(String name, long cores, long memory, String... labels) {
        var marks = new HashMap<String, String>();
        for (int place = 0; place + 1 < labels.length; place += 2) {
            marks.put(labels[place], labels[place + 1]);
        }
        var nodes = cluster.client().nodes();
        nodes.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(marks)
                        .endMetadata()
                        .build())
                .create();
        nodes.withName(name)
                .editStatus(node -> new NodeBuilder(node)
                        .editOrNewStatus()
                        .addToCapacity(CORES, new Quantity(Long.toString(cores)))
                        .addToCapacity(MEMORY, new Quantity(Long.toString(memory)))
                        .endStatus()
                        .build());
        await("the node " + name, () -> {
            var scores = ask("/scheduler/priorities", request(plain("probe"), name));
            // A pod without GPUs gets 1 from a node that has none.
            return scores.path(0).path("Score").asInt() == (cores >= 100 ? 0 : 1);
        });
    }

    private static Pod plain(String name) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }

    void namespace(String name) {
        cluster.client()
                .namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** A pod in the API server; each container as {@code "30/1"}, {@code "200"}, or {@code ""} for one without GPU. */
    Pod pod(String name, String... containers) {
        return podIn("default", name, containers);
    }

    Pod podIn(String namespace, String name, String... containers) {
        var list = Arrays.stream(containers).map(Stage::container).toList();
        for (int place = 0; place < list.size(); place++) {
            list.get(place).setName("c" + place);
        }
        return create(new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withContainers(list)
                .endSpec()
                .build());
    }

    Pod create(Pod pod) {
        return cluster.client()
                .pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .resource(pod)
                .create();
    }

    static Container container(String ask) {
        var limits = new HashMap<String, Quantity>();
        if (!ask.isEmpty()) {
            var parts = ask.split("/", -1);
            limits.put(CORES, new Quantity(parts[0]));
            if (parts.length > 1) {
                limits.put(MEMORY, new Quantity(parts[1]));
            }
        }
        return new ContainerBuilder()
                .withName("c")
                .withImage("none")
                .withNewResources()
                .withLimits(limits)
                .withRequests(limits)
                .endResources()
                .build();
    }

    Pod read(Pod pod) {
        return cluster.client()
                .pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .get();
    }

    Map<String, String> annotations(Pod pod) {
        var annotations = read(pod).getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }

    String index(Pod pod, int container) {
        return annotations(pod).getOrDefault(INDEX + container, "none");
    }

    void bind(Pod pod, String node) {
        cluster.client()
                .raw(
                        "/api/v1/namespaces/%s/pods/%s/binding"
                                .formatted(
                                        pod.getMetadata().getNamespace(),
                                        pod.getMetadata().getName()),
                        "POST",
                        new BindingBuilder()
                                .withNewMetadata()
                                .withName(pod.getMetadata().getName())
                                .endMetadata()
                                .withNewTarget()
                                .withKind("Node")
                                .withName(node)
                                .endTarget()
                                .build());
    }

    void remove(Pod pod) {
        cluster.client().resource(pod).withGracePeriod(0).delete();
    }

    void quota(String text) {
        cluster.client()
                .configMaps()
                .inNamespace("kube-system")
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("kube-system")
                        .withName("gpuquota")
                        .endMetadata()
                        .addToData("gpu_quota", text)
                        .build())
                .createOr(existing -> existing.update());
    }

    /** The request of a scheduler that knows nodes by name. */
    ObjectNode request(Pod pod, String... nodes) {
        var request = JSON.createObjectNode();
        request.set("Pod", JSON.valueToTree(pod));
        request.putNull("Nodes");
        var names = request.putArray("NodeNames");
        Arrays.stream(nodes).forEach(names::add);
        return request;
    }

    /** The request of a scheduler that sends whole nodes: {@code "n=400/16"}. */
    static ObjectNode whole(Pod pod, String... nodes) {
        var request = JSON.createObjectNode();
        request.set("Pod", JSON.valueToTree(pod));
        var items = request.putObject("Nodes").put("kind", "NodeList").putArray("items");
        for (var node : nodes) {
            var parts = node.split("[=/]", -1);
            var object = items.addObject();
            object.putObject("metadata").put("name", parts[0]).put("uid", "not of interest");
            var capacity = object.putObject("status").putObject("capacity");
            capacity.put("cpu", "8");
            if (parts.length > 1 && !parts[1].isEmpty()) {
                capacity.put(CORES, parts[1]).put(MEMORY, parts[2]);
            }
        }
        request.putNull("NodeNames");
        return request;
    }

    JsonNode filter(Pod pod, String... nodes) {
        return ask("/scheduler/predicates", nodes[0].contains("=") ? whole(pod, nodes) : request(pod, nodes));
    }

    /** The node chosen, or what was said instead. */
    static String chosen(JsonNode reply) {
        if (!reply.path("Error").asText().isEmpty()) {
            return "error: " + reply.path("Error").asText();
        }
        if (reply.path("NodeNames").isArray()) {
            return reply.path("NodeNames").path(0).asText("none");
        }
        return reply.path("Nodes")
                .path("items")
                .path(0)
                .path("metadata")
                .path("name")
                .asText("none");
    }

    /** Asks and binds, and returns the first container's devices. */
    String place(Pod pod, String... nodes) {
        var node = chosen(filter(pod, nodes));
        bind(pod, node);
        return index(pod, 0);
    }

    JsonNode ask(String path, JsonNode body) {
        return ask(web, path, body.toString());
    }

    static JsonNode ask(HttpServer replica, String path, String body) {
        try (var client = HttpClient.newHttpClient()) {
            var response = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + replica.port("extender") + path))
                            .timeout(Duration.ofSeconds(30))
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new AssertionError(response.statusCode() + " " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException problem) {
            throw new AssertionError(problem);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    HttpResponse<String> send(String method, String path, String body) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + web.port("extender") + path))
                        .timeout(Duration.ofSeconds(30))
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    String get(String path) {
        try {
            return send("GET", path, "").body();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }

    HttpServer web() {
        return web;
    }

    /** How many devices the node's ledger says are held. */
    int held(String node) {
        var ledger = cluster.client().resources(NodeLedger.class).withName(node).get();
        return ledger == null ? 0 : ledger.getSpec().lines().size();
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
        http.close();
        while (!parts.isEmpty()) {
            parts.pop().run();
        }
    }
}
