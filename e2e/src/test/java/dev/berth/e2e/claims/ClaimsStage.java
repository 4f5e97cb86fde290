package dev.berth.e2e.claims;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ClaimDefinitions;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Dialogue;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A cluster with the prototype's kinds, its nodes, pools, classes and pods. */
final class ClaimsStage {
    private static final String GROUP = "/apis/devmgmtproto.k8s.io/v1alpha1";
    private static final String NODES = "/api/v1/nodes";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    static final String PODS = "/api/v1/namespaces/{ns}/pods";

    private final Dialogue server;

    private ClaimsStage(Dialogue server) {
        this.server = server;
    }

    /** Installs the kinds where they are not there yet, and waits until they are served. */
    static ClaimsStage on(Dialogue server) {
        var yaml = new ArrayList<>(ClaimDefinitions.yaml());
        yaml.add(NodeLedgerDefinition.yaml());
        for (var definition : yaml) {
            server.quietly("POST", DEFINITIONS, definition);
        }
        server.await(GROUP, list -> list.path("resources").size() >= 7);
        server.await("/apis/berth.dev/v1alpha1", list -> !list.path("resources").isEmpty());
        return new ClaimsStage(server);
    }

    /** A Ready node with room for many pods. */
    void node(String name) {
        server.cleanUp(NODES + "/" + name);
        server.cleanUp("/apis/berth.dev/v1alpha1/nodeledgers/" + name);
        server.quietly("POST", NODES, """
                metadata: {name: %s}
                status:
                  capacity: {cpu: "4", memory: 8Gi, pods: "500"}
                  allocatable: {cpu: "4", memory: 8Gi, pods: "500"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name));
        untaint(name);
    }

    /** The API server taints every new node; the node controller, which is not here, would take that away. */
    void untaint(String node) {
        server.quietly(server.request("PATCH", NODES + "/" + node)
                .type("application/merge-patch+json")
                .body("{\"spec\": {\"taints\": null}}"));
    }

    /** A pool of a driver that has its name, and a class of that name for it. */
    void devices(String pool, String node, int count) {
        var names = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            names.add("{name: dev-%02d}".formatted(i));
        }
        server.cleanUp(GROUP + "/devicepools/" + pool);
        server.cleanUp(GROUP + "/deviceclasses/" + pool);
        server.quietly("POST", GROUP + "/devicepools", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DevicePool
                metadata: {name: %s}
                spec: {driver: %s, nodeName: %s, devices: [%s]}
                """.formatted(pool, pool, node, String.join(", ", names)));
        server.quietly("POST", GROUP + "/deviceclasses", """
                apiVersion: devmgmtproto.k8s.io/v1alpha1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {definition: {driver: %s}}
                """.formatted(pool, pool));
    }

    /** A pod that asks for one device of the class, or for none when it is empty. */
    void pod(String name, String scheduler, String deviceClass, String cpu) {
        var claims = deviceClass.isEmpty()
                ? ""
                : ", annotations: {devmgmtproto.k8s.io/device-claims: '{\"deviceClaims\": {\"devices\": [{\"name\": \"gpu\", \"class\": \"%s\"}]}}'}"
                        .formatted(deviceClass);
        var answer = server.quietly("POST", PODS, """
                metadata: {name: %s%s}
                spec:
                  schedulerName: %s
                  containers: [{name: main, image: none, resources: {requests: {cpu: %s}}}]
                """.formatted(name, claims, scheduler, cpu));
        if (answer.code() != 201) {
            throw new AssertionError(answer.text());
        }
    }

    void delete(String pod) {
        server.quietly("DELETE", PODS + "/" + pod, "{gracePeriodSeconds: 0}");
    }

    String awaitNode(String pod) {
        return server.await(PODS + "/" + pod, each -> !nodeOf(each).isEmpty())
                .at("/spec/nodeName")
                .asText();
    }

    String awaitRefusal(String pod) {
        return refusal(server.await(PODS + "/" + pod, each -> !refusal(each).isEmpty()));
    }

    static String nodeOf(JsonNode pod) {
        return pod.at("/spec/nodeName").asText();
    }

    /** Why the pod has no node; empty if it has one, or was not told yet. */
    static String refusal(JsonNode pod) {
        return pod.at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals("PodScheduled")
                        && condition.path("status").asText().equals("False"))
                .map(condition -> condition.path("reason").asText() + ": "
                        + condition.path("message").asText())
                .findFirst()
                .orElse("");
    }

    JsonNode claims() {
        return server.quietly("GET", GROUP + "/namespaces/{ns}/deviceclaims", "")
                .body()
                .path("items");
    }

    List<String> devicesOf(String claim) {
        var object = server.quietly("GET", GROUP + "/namespaces/{ns}/deviceclaims/" + claim, "")
                .body();
        return devices(object);
    }

    static List<String> devices(JsonNode claim) {
        return claim.at("/status/allocations")
                .valueStream()
                .map(each -> each.path("devicePoolName").asText() + "/"
                        + each.path("deviceName").asText())
                .toList();
    }

    /** The scheduler as a process; it leads when this returns. */
    GuardedProcess scheduler(String name, Path kubeconfig, String leaseNamespace) {
        return BerthProcess.start(
                log(name),
                "places pods: scheduler=" + name,
                "claims",
                "scheduler",
                "--kubeconfig=" + kubeconfig,
                "--scheduler-name=" + name,
                "--lease-namespace=" + leaseNamespace,
                "--bind-address=127.0.0.1",
                "--port=0");
    }

    private Path log(String name) {
        return E2eFolder.target("claims")
                .resolve("%s-%s-%s.log"
                        .formatted(server.namespace(), server.cluster().name(), name));
    }
}
