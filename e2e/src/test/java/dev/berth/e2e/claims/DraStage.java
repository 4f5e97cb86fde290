package dev.berth.e2e.claims;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Answer;
import dev.berth.e2e.story.Dialogue;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster with a DRA driver on every node: its slices, a class for them, claims, templates and pods. */
final class DraStage {
    static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims";
    static final String RULES = "/apis/resource.k8s.io/v1beta2/devicetaintrules";
    static final String PODS = ClaimsStage.PODS;
    private static final String GROUP = "/apis/resource.k8s.io/v1";
    private static final String TEMPLATES = GROUP + "/namespaces/{ns}/resourceclaimtemplates";
    private static final String TEMPLATE = "one-gpu";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Dialogue server;
    private final String driver;
    private final ClaimsStage nodes;

    /** @param driver also the name of the class for its devices */
    DraStage(Dialogue server, String driver) {
        this.server = server;
        this.driver = driver;
        this.nodes = ClaimsStage.on(server);
        server.cleanUp(GROUP + "/deviceclasses/" + driver);
        created(server.quietly("POST", GROUP + "/deviceclasses", """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec:
                  selectors: [{cel: {expression: "device.driver == '%s'"}}]
                  extendedResourceName: %s/gpu
                """.formatted(driver, driver, driver)));
        created(server.quietly("POST", TEMPLATES, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {name: %s}
                spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s}}]}}}
                """.formatted(TEMPLATE, driver)));
    }

    /** A node, and what its driver publishes: so many GPUs. */
    void node(String name, int devices) {
        node(
                name,
                IntStream.range(0, devices)
                        .mapToObj(number -> "{name: gpu-%d, attributes: {index: {int: %d}}}".formatted(number, number))
                        .collect(Collectors.joining(", ")));
    }

    /** The same with these devices. */
    void node(String name, String devices) {
        nodes.node(name);
        server.cleanUp(GROUP + "/resourceslices/" + name + "-" + driver);
        created(server.quietly(
                "POST", GROUP + "/resourceslices", """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s-%s}
                spec:
                  driver: %s
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  nodeName: %s
                  devices: [%s]
                """.formatted(name, driver, driver, name, name, devices)));
    }

    void nodes(String prefix, int count, int devices) {
        IntStream.range(0, count).forEach(number -> node("%s-%03d".formatted(prefix, number), devices));
    }

    /** Taints all devices of this driver from outside. */
    void rule(String name, String effect) {
        server.cleanUp(RULES + "/" + name);
        created(server.quietly("POST", RULES, """
                apiVersion: resource.k8s.io/v1beta2
                kind: DeviceTaintRule
                metadata: {name: %s}
                spec:
                  deviceSelector: {driver: %s}
                  taint: {key: example.com/broken, effect: %s}
                """.formatted(name, driver, effect)));
    }

    void claim(String name, int count, String constraints) {
        created(server.quietly("POST", CLAIMS, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s}
                spec:
                  devices:
                    requests: [{name: gpu, exactly: {deviceClassName: %s, count: %d}}]
                    constraints: [%s]
                """.formatted(name, driver, count, constraints)));
    }

    /** A claim for one device, and a pod that uses it. */
    void pod(String name, String scheduler) {
        claim(name, 1, "");
        podWith(name, scheduler, name);
    }

    /** A pod that uses these claims. */
    void podWith(String name, String scheduler, String... claims) {
        var uses = IntStream.range(0, claims.length)
                .mapToObj(number -> "{name: c%d, resourceClaimName: %s}".formatted(number, claims[number]))
                .collect(Collectors.joining(", "));
        pod(name, scheduler, "resourceClaims: [%s]".formatted(uses), "{claims: [{name: c0}]}");
    }

    /** A pod whose claim is made for it from the template. */
    void podOfTemplate(String name, String scheduler) {
        pod(
                name,
                scheduler,
                "resourceClaims: [{name: gpu, resourceClaimTemplateName: %s}]".formatted(TEMPLATE),
                "{claims: [{name: gpu}]}");
    }

    /** A pod that asks for GPUs by number, as of a device plugin. */
    void podByNumber(String name, String scheduler, int gpus) {
        pod(name, scheduler, "resourceClaims: []", "{limits: {%s/gpu: %d}}".formatted(driver, gpus));
    }

    private void pod(String name, String scheduler, String claims, String resources) {
        created(server.quietly("POST", PODS, """
                metadata: {name: %s}
                spec:
                  schedulerName: %s
                  %s
                  containers: [{name: main, image: none, resources: %s}]
                """.formatted(name, scheduler, claims, resources)));
    }

    private static void created(Answer answer) {
        if (answer.code() != 201) {
            throw new AssertionError(answer.text());
        }
    }

    /** So many pods, each with a claim of its own from the template. */
    void pods(int count, String scheduler) {
        IntStream.range(0, count).parallel().forEach(number -> podOfTemplate("pod-%04d".formatted(number), scheduler));
    }

    /** Waits until at most so many pods have no node. */
    void awaitWaiting(int most) {
        // As many as that, and one more if there is one: whole lists of a thousand pods would keep the server busy.
        var path = "%s?fieldSelector=spec.nodeName%%3D&limit=%d".formatted(PODS, most + 1);
        Await.until(
                PATIENCE,
                () -> server.quietly("GET", path, "").body().path("items").size() <= most,
                () -> "more than %d pods have no node; one says: %s".formatted(most, firstRefusal()));
    }

    private String firstRefusal() {
        return pods().stream()
                .map(ClaimsStage::refusal)
                .filter(words -> !words.isEmpty())
                .findFirst()
                .orElse("nothing");
    }

    List<JsonNode> claims() {
        return items(CLAIMS);
    }

    List<JsonNode> pods() {
        return items(PODS);
    }

    private List<JsonNode> items(String path) {
        return server.quietly("GET", path, "")
                .body()
                .path("items")
                .valueStream()
                .toList();
    }

    /** Ends all pods, and waits until nothing is left of their claims, neither there nor in the ledgers. */
    void endAll(String prefix) {
        Await.until(PATIENCE, this::deletedPods, () -> "the pods cannot be deleted");
        Await.until(
                PATIENCE,
                () -> server.quietly("GET", CLAIMS + "?limit=1", "")
                        .body()
                        .path("items")
                        .isEmpty(),
                () -> "there are still claims: " + claims().getFirst());
        Await.until(PATIENCE, () -> held(prefix).isEmpty(), () -> "devices are still held: " + held(prefix));
    }

    /**
     * A thousand pods at once may take a busy server longer than a request may wait; what is left goes with the next.
     */
    private boolean deletedPods() {
        try {
            return server.quietly("DELETE", PODS + "?gracePeriodSeconds=0", "").code() == 200;
        } catch (UncheckedIOException late) {
            return false;
        }
    }

    /** What the ledgers say that is held on these nodes. */
    List<String> held(String prefix) {
        return items("/apis/berth.dev/v1alpha1/nodeledgers").stream()
                .filter(page -> page.at("/metadata/name").asText().startsWith(prefix))
                .flatMap(page -> page.at("/spec/lines")
                        .valueStream()
                        .map(line -> "%s of %s"
                                .formatted(
                                        line.asText(), page.at("/metadata/name").asText())))
                .toList();
    }

    /** {@code pool/device} of what a claim got. */
    static List<String> devices(JsonNode claim) {
        return claim.at("/status/allocation/devices/results")
                .valueStream()
                .map(each ->
                        each.path("pool").asText() + "/" + each.path("device").asText())
                .toList();
    }

    /** A scheduler as a process; it leads when this returns. Those with one lease take turns. */
    GuardedProcess scheduler(String name, String lease) {
        return scheduler(name, lease, server.cluster().kubeconfig());
    }

    GuardedProcess scheduler(String name, String lease, Path kubeconfig) {
        return BerthProcess.start(
                E2eFolder.target("claims")
                        .resolve("%s-%s-%s-%d.log"
                                .formatted(server.namespace(), server.cluster().name(), lease, System.nanoTime())),
                "places pods: scheduler=" + name,
                "claims",
                "scheduler",
                "--kubeconfig=" + kubeconfig,
                "--scheduler-name=" + name,
                "--lease-namespace=" + server.namespace(),
                "--lease-name=" + lease,
                "--bind-address=127.0.0.1",
                "--port=0");
    }
}
