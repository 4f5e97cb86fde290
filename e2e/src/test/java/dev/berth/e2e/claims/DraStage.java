package dev.berth.e2e.claims;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.story.Dialogue;
import java.util.ArrayList;
import java.util.List;

/** A cluster with a DRA driver on every node: its slices, a class for them, claims and pods. */
final class DraStage {
    static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/{ns}/resourceclaims";
    static final String PODS = ClaimsStage.PODS;
    private static final String GROUP = "/apis/resource.k8s.io/v1";

    private final Dialogue server;
    private final String driver;
    private final ClaimsStage nodes;

    /** @param driver also the name of the class for its devices */
    DraStage(Dialogue server, String driver) {
        this.server = server;
        this.driver = driver;
        this.nodes = ClaimsStage.on(server);
        server.cleanUp(GROUP + "/deviceclasses/" + driver);
        server.quietly("POST", GROUP + "/deviceclasses", """
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: %s}
                spec: {selectors: [{cel: {expression: "device.driver == '%s'"}}]}
                """.formatted(driver, driver));
    }

    /** A node, and what its driver publishes. */
    void node(String name, int devices) {
        nodes.node(name);
        var list = new ArrayList<String>();
        for (int i = 0; i < devices; i++) {
            list.add("{name: gpu-%d, attributes: {index: {int: %d}}}".formatted(i, i));
        }
        server.cleanUp(GROUP + "/resourceslices/" + name + "-" + driver);
        created(server.quietly("POST", GROUP + "/resourceslices", """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s-%s}
                spec:
                  driver: %s
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  nodeName: %s
                  devices: [%s]
                """.formatted(
                        name, driver, driver, name, name, String.join(", ", list))));
    }

    /** A claim for one device, and a pod that uses it. */
    void pod(String name, String scheduler) {
        created(server.quietly("POST", CLAIMS, """
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: %s}}]}}
                """.formatted(name, driver)));
        created(server.quietly("POST", PODS, """
                metadata: {name: %s}
                spec:
                  schedulerName: %s
                  resourceClaims: [{name: gpu, resourceClaimName: %s}]
                  containers: [{name: main, image: none, resources: {claims: [{name: gpu}]}}]
                """.formatted(name, scheduler, name)));
    }

    private static void created(dev.berth.e2e.story.Answer answer) {
        if (answer.code() != 201) {
            throw new AssertionError(answer.text());
        }
    }

    List<JsonNode> claims() {
        return server.quietly("GET", CLAIMS, "")
                .body()
                .path("items")
                .valueStream()
                .toList();
    }

    List<JsonNode> pods() {
        return server.quietly("GET", PODS, "")
                .body()
                .path("items")
                .valueStream()
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

    /** A scheduler as a process; it leads when this returns. */
    GuardedProcess scheduler(String name, String replica) {
        return BerthProcess.start(
                E2eFolder.target("claims")
                        .resolve("%s-%s-%s-%s.log"
                                .formatted(server.namespace(), server.cluster().name(), name, replica)),
                "places pods: scheduler=" + name,
                "claims",
                "scheduler",
                "--kubeconfig=" + server.cluster().kubeconfig(),
                "--scheduler-name=" + name,
                "--lease-namespace=" + server.namespace(),
                "--bind-address=127.0.0.1",
                "--port=0");
    }
}
