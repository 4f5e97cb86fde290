package dev.berth.e2e.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;

/**
 * One pod, from its wish for a card until it has gone. Where a door is asked by somebody, this is he: the API server
 * for the assigner, kube-scheduler for the extender. Like them it asks again when it gets no answer.
 */
final class Guest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration ASK_AGAIN = Duration.ofMillis(250);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    private final Ground ground;
    private final Crew crew;
    private final Watchman watchman;
    private final Crew.Door door;
    private final int number;
    private final String name;

    Guest(Ground ground, Crew crew, Watchman watchman, Crew.Door door, int number) {
        this.ground = ground;
        this.crew = crew;
        this.watchman = watchman;
        this.door = door;
        this.number = number;
        // Of one length, so that no name is the beginning of another; and a replica, for the pinner.
        this.name = "guest-%05d-0".formatted(number);
    }

    /** The how manieth of its door. */
    private int turn() {
        return number / Crew.Door.values().length;
    }

    @Override
    public String toString() {
        return "%s through %s".formatted(name, door);
    }

    /** Returns when the pod has a node. */
    void arrive(long deadline) throws InterruptedException {
        switch (door) {
            case ASSIGNER -> admit(deadline);
            case EXTENDER -> ask(deadline);
            case PINNER ->
                create("""
                        metadata:
                          name: %s
                          labels: {apps.kubernetes.io/pod-index: "0"}
                          annotations: {gpu-scheduling-map: "0=%s:%d"}
                        spec: {schedulerName: %s, containers: [{name: main, image: none}]}
                        """.formatted(
                                name,
                                ground.nodes().get(turn() % ground.nodes().size()),
                                turn() / ground.nodes().size() % ground.cards(),
                                crew.scheduler(door)));
            case CLAIMS -> create("""
                        metadata:
                          name: %s
                          annotations: {devmgmtproto.k8s.io/device-claims: '{"deviceClaims": {"devices": [{"name": "gpu", "class": "%s"}]}}'}
                        spec: {schedulerName: %s, containers: [{name: main, image: none}]}
                        """.formatted(name, ground.id(), crew.scheduler(door)));
        }
        while (!watchman.bound(name)) {
            check(deadline, "it has no node");
            Thread.sleep(20);
        }
    }

    void leave(long deadline) throws InterruptedException {
        ground.client
                .pods()
                .inNamespace(ground.work())
                .withName(name)
                .withGracePeriod(0)
                .delete();
        while (!watchman.gone(name)) {
            check(deadline, "it does not go");
            Thread.sleep(20);
        }
    }

    private void check(long deadline, String what) {
        if (System.nanoTime() > deadline) throw new AssertionError("%s: %s".formatted(this, what));
    }

    private void admit(long deadline) throws InterruptedException {
        var pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata")
                .put("name", name)
                .put("namespace", ground.work())
                .putObject("labels")
                .put(ground.label(), "true");
        pod.putObject("spec")
                .put("schedulerName", "nobody")
                .putArray("containers")
                .addObject()
                .put("name", "main")
                .put("image", "none");
        for (int attempt = 0; ; attempt++) {
            check(deadline, "it is not admitted");
            var review = JSON.createObjectNode()
                    .put("apiVersion", "admission.k8s.io/v1")
                    .put("kind", "AdmissionReview");
            review.putObject("request")
                    .put("uid", UUID.randomUUID().toString())
                    .put("operation", "CREATE")
                    .put("namespace", ground.work())
                    .set("object", pod);
            var patch = post(attempt, "/mutate?timeout=10s", review)
                    .at("/response/patch")
                    .asText();
            if (!patch.isEmpty()) {
                var patched = JsonPatch.apply(tree(Base64.getDecoder().decode(patch)), pod);
                // The patch names the node: nobody has to bind it.
                create(patched.toString());
                return;
            }
            Thread.sleep(ASK_AGAIN);
        }
    }

    private void ask(long deadline) throws InterruptedException {
        var pod = create("""
                metadata: {name: %s}
                spec:
                  schedulerName: nobody
                  containers: [{name: main, image: none, resources: {limits: {tencent.com/vcuda-core: "%d", tencent.com/vcuda-memory: "8"}}}]
                """.formatted(name, number % 2 == 0 ? 50 : 100));
        for (int attempt = 0; ; attempt++) {
            check(deadline, "no node is found");
            var question = JSON.createObjectNode();
            question.set("Pod", JSON.valueToTree(pod));
            question.putNull("Nodes");
            var names = question.putArray("NodeNames");
            ground.nodes().forEach(names::add);
            var node = post(attempt, "/scheduler/predicates", question)
                    .at("/NodeNames/0")
                    .asText();
            if (!node.isEmpty()) {
                bind(pod, node);
                return;
            }
            Thread.sleep(ASK_AGAIN);
        }
    }

    /** What a replica says; nothing from one that is dead or does not know. */
    private JsonNode post(int attempt, String path, JsonNode body) throws InterruptedException {
        try {
            var port = crew.any(door, number + attempt).port();
            var answer = HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                            .header("Content-Type", "application/json")
                            .timeout(Duration.ofSeconds(15))
                            .POST(BodyPublishers.ofString(body.toString()))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            return tree(answer.body());
        } catch (IOException nobody) {
            return JSON.missingNode();
        }
    }

    private static JsonNode tree(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException notJson) {
            return JSON.missingNode();
        }
    }

    private Pod create(String yaml) {
        var pod = ground.client.getKubernetesSerialization().unmarshal(yaml, Pod.class);
        return ground.client.pods().inNamespace(ground.work()).resource(pod).create();
    }

    private void bind(Pod pod, String node) {
        try {
            ground.client.raw(
                    "/api/v1/namespaces/%s/pods/%s/binding".formatted(ground.work(), name),
                    "POST",
                    new BindingBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .withNewTarget()
                            .withKind("Node")
                            .withName(node)
                            .endTarget()
                            .build());
        } catch (KubernetesClientException refused) {
            throw new AssertionError(
                    "%s cannot be bound to %s".formatted(pod.getMetadata().getName(), node), refused);
        }
    }
}
