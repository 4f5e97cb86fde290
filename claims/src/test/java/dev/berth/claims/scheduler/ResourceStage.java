package dev.berth.claims.scheduler;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;

/** Slices, claims and pods of {@code resource.k8s.io/v1} on a stage, with one class for all devices. */
final class ResourceStage {
    private final Stage stage;

    ResourceStage(Stage stage) {
        this.stage = stage;
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceClass
                metadata: {name: gpu}
                spec:
                  selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]
                  extendedResourceName: example.com/gpu
                """);
    }

    void slice(String node, int devices, String more) {
        var names = new ArrayList<String>();
        for (int i = 0; i < devices; i++) {
            names.add("{name: gpu-%d%s}".formatted(i, more));
        }
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: %s-gpus}
                spec:
                  driver: gpu.example.com
                  pool: {name: %s, generation: 1, resourceSliceCount: 1}
                  nodeName: %s
                  devices: [%s]
                """.formatted(node, node, node, String.join(", ", names)));
    }

    /** Taints the devices that this selects. */
    void rule(String name, String selector, String effect) {
        stage.apply("""
                apiVersion: resource.k8s.io/v1beta2
                kind: DeviceTaintRule
                metadata: {name: %s}
                spec:
                  deviceSelector: %s
                  taint: {key: example.com/broken, value: "yes", effect: %s}
                """.formatted(name, selector, effect));
    }

    void removeRule(String name) {
        stage.cluster().client().raw("/apis/resource.k8s.io/v1beta2/devicetaintrules/" + name, "DELETE", null);
    }

    void claim(String name) {
        stage.apply("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaim
                metadata: {name: %s, namespace: default}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
                """.formatted(name));
    }

    void pod(String name, String scheduler, String claim) {
        stage.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  schedulerName: %s
                  resourceClaims: [{name: gpu, %s}]
                  containers: [{name: main, image: none, resources: {claims: [{name: gpu}]}}]
                """.formatted(name, scheduler, claim));
    }

    void podWithClaim(String name, String scheduler) {
        claim(name + "-claim");
        pod(name, scheduler, "resourceClaimName: %s-claim".formatted(name));
    }

    JsonNode claimNow(String name) {
        var client = stage.cluster().client();
        return client.getKubernetesSerialization()
                .unmarshal(
                        client.raw("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/" + name, "GET", null),
                        JsonNode.class);
    }

    String device(String claim) {
        var result = claimNow(claim).at("/status/allocation/devices/results/0");
        return result.isMissingNode()
                ? ""
                : result.path("pool").asText() + "/" + result.path("device").asText();
    }

    /** A pod that asks for so many GPUs by number, as it would of a device plugin. */
    void podByNumber(String name, int gpus) {
        stage.apply("""
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: default}
                spec:
                  schedulerName: berth
                  containers:
                  - {name: main, image: none, resources: {requests: {example.com/gpu: %d}, limits: {example.com/gpu: %d}}}
                """.formatted(name, gpus, gpus));
    }

    /** Says of the first device of a claim what its driver would say. */
    void report(String claim, String condition) {
        var object = (com.fasterxml.jackson.databind.node.ObjectNode) claimNow(claim);
        var result = object.at("/status/allocation/devices/results/0");
        var status = object.withObject("/status").putArray("devices").addObject();
        for (var field : new String[] {"driver", "pool", "device"}) {
            status.put(field, result.path(field).asText());
        }
        status.putArray("conditions")
                .addObject()
                .put("type", condition)
                .put("status", "True")
                .put("reason", "Reported")
                .put("message", "said by a test")
                .put("lastTransitionTime", "2026-01-01T00:00:00Z");
        writeStatus(claim, object);
    }

    /** Takes a claim's devices away, as an operator or another scheduler may. */
    void deallocate(String claim) {
        var object = (com.fasterxml.jackson.databind.node.ObjectNode) claimNow(claim);
        object.withObject("/status").removeAll();
        writeStatus(claim, object);
    }

    private void writeStatus(String claim, JsonNode object) {
        stage.cluster()
                .client()
                .raw(
                        "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/%s/status".formatted(claim),
                        "PUT",
                        object.toString());
    }
}
