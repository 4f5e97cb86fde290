package dev.berth.assigner;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import dev.berth.assigner.wire.Keys;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.ledger.NamedLedgers;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.kube.ledger.OwnNodeLedgers;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** An assigner, the embedded API server behind it, and somebody who talks HTTP to it. */
final class Stage implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String CLAIMS = "gpu-claims";

    private final Deque<Runnable> parts = new ArrayDeque<>();
    private final ApiServer server;
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
    final Cluster cluster;
    final Metrics metrics = new Metrics();
    private final Assigner assigner;
    private final HttpServer web;

    Stage(boolean shared) {
        this(shared, AssignerSettings.DEFAULT, Limits.DEFAULT);
    }

    Stage(boolean shared, AssignerSettings settings, Limits limits) {
        this(shared, settings, limits, UnaryOperator.identity());
        awaitReady();
    }

    /**
     * An assigner that need not be ready.
     *
     * @param way how it goes to the API server, given the address; the test itself goes straight there
     */
    Stage(boolean shared, AssignerSettings settings, Limits limits, UnaryOperator<URI> way) {
        server = opened(ApiServer.start(ApiServerSettings.defaults().withPort(0)), ApiServer::close);
        cluster = opened(Cluster.connect(new ConnectionSettings.At(URI.create(server.url()))), Cluster::close);
        if (shared) {
            NodeLedgerDefinition.install(cluster);
        }
        cluster.client()
                .namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(CLAIMS)
                        .endMetadata()
                        .build())
                .create();
        var address = way.apply(URI.create(server.url()));
        var seen = opened(Cluster.connect(new ConnectionSettings.At(address)), Cluster::close);
        assigner = opened(
                Assigner.start(
                        seen,
                        cards -> shared ? NamedLedgers.shared(seen, cards) : (NodeLedgers) new OwnNodeLedgers(),
                        settings,
                        "stage",
                        metrics,
                        () -> Instant.now().plus(ahead.get())),
                Assigner::close);
        web = opened(
                HttpServer.start(List.of(
                        new Listener("api", "127.0.0.1", 0, Optional.empty(), limits, assigner::apiRoutes),
                        new Listener("ui", "127.0.0.1", 0, Optional.empty(), limits, assigner::uiRoutes))),
                HttpServer::close);
        web.onDrain(assigner::endStreams);
    }

    void awaitReady() {
        try {
            if (!assigner.health().awaitReady(Duration.ofSeconds(20))) {
                throw new AssertionError("the assigner is not ready");
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private <T> T opened(T part, Consumer<T> close) {
        parts.push(() -> close.accept(part));
        return part;
    }

    /** Puts the assigner's clock forward, not anybody else's. */
    void pass(Duration time) {
        ahead.updateAndGet(time::plus);
    }

    /** A node with these GPUs: {@code "GPU-1=a100,80g"}. */
    void node(String name, String... gpus) throws Exception {
        var tree = JSON.createObjectNode();
        for (var gpu : gpus) {
            var parts = gpu.split("=", -1);
            var labels = tree.putArray(parts[0]);
            Arrays.stream(parts.length > 1 ? parts[1].split(",") : new String[0])
                    .map("fudo.org/gpu."::concat)
                    .forEach(labels::add);
        }
        annotatedNode(name, Base64.getEncoder().encodeToString(tree.toString().getBytes(StandardCharsets.UTF_8)));
        for (var gpu : gpus) {
            awaitDevice(gpu.split("=", -1)[0]);
        }
    }

    void annotatedNode(String name, String annotation) {
        var nodes = cluster.client().nodes();
        nodes.resource(new NodeBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        // The API server marks every new node as not ready; a controller takes that away from one that says it is.
        nodes.withName(name)
                .editStatus(node -> new NodeBuilder(node)
                        .withNewStatus()
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .endStatus()
                        .build());
        await(
                "the node is not tainted",
                () -> nodes.withName(name).get().getSpec().getTaints().isEmpty());
        // Last, so that whoever has heard of the GPUs has heard that the node is ready.
        nodes.withName(name)
                .edit(node -> new NodeBuilder(node)
                        .editMetadata()
                        .addToAnnotations(Keys.DEVICE_LABELS, annotation)
                        .endMetadata()
                        .build());
    }

    void awaitDevice(String uuid) {
        await("the device " + uuid, () -> get("api", "/devices").contains("\"" + uuid + "\""));
    }

    /** A review of a pod in {@code default} that asks for so many GPUs and has these labels. */
    static ObjectNode review(String uid, String pod, int gpus, String... labels) {
        var review =
                JSON.createObjectNode().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        var request = review.putObject("request").put("uid", uid);
        var object = request.putObject("object");
        var metadata = object.putObject("metadata").put("name", pod).put("namespace", "default");
        var marks = metadata.putObject("labels");
        Arrays.stream(labels).forEach(label -> marks.put("fudo.org/gpu." + label, "true"));
        var container =
                object.putObject("spec").putArray("containers").addObject().put("name", "main");
        if (gpus > 0) {
            container.putObject("resources").putObject("requests").put("nvidia.com/gpu", String.valueOf(gpus));
        }
        return review;
    }

    JsonNode mutate(JsonNode review) throws Exception {
        var response = post("api", "/mutate", review.toString());
        if (response.statusCode() != 200) {
            throw new AssertionError(response.statusCode() + " " + response.body());
        }
        return JSON.readTree(response.body()).path("response");
    }

    static JsonNode patch(JsonNode response) throws IOException {
        return JSON.readTree(Base64.getDecoder().decode(response.path("patch").asText()));
    }

    /** The value of the operation at this place of the patch. */
    static String value(JsonNode response, int place) throws IOException {
        return patch(response).path(place).path("value").asText();
    }

    /** Creates the pod as the API server would after the patch, and returns it. */
    Pod create(String name, JsonNode response) throws IOException {
        return cluster.client()
                .pods()
                .inNamespace("default")
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .withAnnotations(Map.of(
                                Keys.UUID, value(response, 1),
                                Keys.NODE, value(response, 2),
                                Keys.RESERVATION_ID, value(response, 3),
                                Keys.CDI_ASSIGNMENT, value(response, 4)))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName(value(response, 5))
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    void finish(String pod, String phase) {
        cluster.client().pods().inNamespace("default").withName(pod).editStatus(found -> {
            found.getStatus().setPhase(phase);
            return found;
        });
    }

    void remove(String pod) {
        cluster.client()
                .pods()
                .inNamespace("default")
                .withName(pod)
                .withGracePeriod(0)
                .delete();
    }

    Optional<Lease> lease(String name) {
        return Optional.ofNullable(
                cluster.client().leases().inNamespace(CLAIMS).withName(name).get());
    }

    String holder(String name) {
        return lease(name).map(lease -> lease.getSpec().getHolderIdentity()).orElse("nobody");
    }

    List<String> leases() {
        return cluster.client().leases().inNamespace(CLAIMS).list().getItems().stream()
                .map(lease -> lease.getMetadata().getName())
                .sorted()
                .toList();
    }

    int port(String listener) {
        return web.port(listener);
    }

    String get(String listener, String path) {
        try {
            return http.send(request(listener, path).GET().build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException problem) {
            throw new AssertionError(problem);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    HttpResponse<String> post(String listener, String path, String body, String... headers) throws Exception {
        var request = request(listener, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> send(String listener, String method, String path) throws Exception {
        return http.send(
                request(listener, path).method(method, BodyPublishers.noBody()).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String listener, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + web.port(listener) + path))
                .timeout(Duration.ofSeconds(20));
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
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
