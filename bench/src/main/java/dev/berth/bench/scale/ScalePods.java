package dev.berth.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.bench.PodBody;
import dev.berth.bench.door.SliceNodes;
import dev.berth.bench.door.SlicePods;
import java.io.IOException;

/**
 * Pods that run: ten on each node, of which four have a GPU, each by another way, and six none. Each is some 4 KB of
 * JSON with its status, besides what the server adds.
 */
final class ScalePods {
    static final int ON_A_NODE = 10;

    private static final ObjectMapper JSON = new ObjectMapper();

    private ScalePods() {}

    static String name(int number) {
        return "running-%06d".formatted(number);
    }

    static String node(int number) {
        return SliceNodes.name(number / ON_A_NODE);
    }

    static boolean claims(int number) {
        return number % ON_A_NODE == 2;
    }

    static ObjectNode json(int number) throws IOException {
        var pod = number % ON_A_NODE == 1
                ? SlicePods.pod(name(number))
                : (ObjectNode) JSON.readTree(PodBody.of(name(number)));
        pod.withObject("/spec").put("nodeName", node(number));
        var metadata = pod.withObject("/metadata");
        metadata.set("ownerReferences", JSON.readTree("""
                [{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"trainer-%1$06d","uid":"00000000-0000-4000-9000-%1$012d",\
                "controller":true,"blockOwnerDeletion":true}]""".formatted(number)));
        var annotations = metadata.withObject("/annotations");
        switch (number % ON_A_NODE) {
            case 0 -> {
                plain(pod);
                pod.withObject("/spec").put("schedulerName", "pinner");
                annotations.put("berth.dev/pinned-gpus", "0");
            }
            case 1 ->
                annotations
                        .put("tencent.com/predicate-gpu-idx-0", "1")
                        .put("tencent.com/predicate-node", node(number))
                        .put("tencent.com/predicate-time", "1700000000000000000")
                        .put("tencent.com/gpu-assigned", "true");
            case 2 -> {
                plain(pod);
                pod.withObject("/spec")
                        .put("schedulerName", "berth")
                        .set(
                                "resourceClaims",
                                JSON.readTree(
                                        "[{\"name\":\"gpu\",\"resourceClaimName\":\"%s\"}]".formatted(name(number))));
                ((ObjectNode) pod.at("/spec/containers/0/resources"))
                        .set("claims", JSON.readTree("[{\"name\":\"gpu\"}]"));
            }
            case 3 -> {} // One GPU by number, which only its kubelet knows.
            default -> plain(pod);
        }
        return pod;
    }

    private static void plain(ObjectNode pod) {
        for (var amounts : pod.at("/spec/containers/0/resources")) ((ObjectNode) amounts).remove("nvidia.com/gpu");
    }

    /** As a kubelet writes it. */
    static ObjectNode running(JsonNode stored) throws IOException {
        var pod = (ObjectNode) stored;
        var resources = pod.at("/spec/containers/0/resources");
        pod.set("status", JSON.readTree("""
                {"phase":"Running","qosClass":%s,"hostIP":"10.1.0.1","hostIPs":[{"ip":"10.1.0.1"}],"podIP":"10.2.0.1","podIPs":[{"ip":"10.2.0.1"}],\
                "startTime":"2026-11-16T06:00:00Z","conditions":[%s],"containerStatuses":[{"name":"trainer","ready":true,"started":true,"restartCount":0,\
                "image":"registry.example.com/vision/trainer:1.4.2","imageID":"registry.example.com/vision/trainer@sha256:%064d",\
                "containerID":"containerd://%064d","state":{"running":{"startedAt":"2026-11-16T06:00:01Z"}},"lastState":{},\
                "resources":{"limits":%s,"requests":%s},"allocatedResources":%s}]}""".formatted(
                        pod.at("/status/qosClass"),
                        conditions(),
                        1,
                        2,
                        resources.path("limits"),
                        resources.path("requests"),
                        resources.path("requests"))));
        return pod;
    }

    private static String conditions() {
        var all = new java.util.StringJoiner(",");
        for (var type :
                new String[] {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
            all.add("{\"type\":\"%s\",\"status\":\"True\",\"lastTransitionTime\":\"2026-11-16T06:00:01Z\"}"
                    .formatted(type));
        }
        return all.toString();
    }

    /** The claim of the pod that has one, with what it was given: the third GPU of its node. */
    static ObjectNode claim(int number) throws IOException {
        return (ObjectNode) JSON.readTree("""
                {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s","namespace":"race"},\
                "spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}}""".formatted(name(number)));
    }

    static JsonNode allocation(int number, String podUid) throws IOException {
        return JSON.readTree("""
                {"allocation":{"devices":{"results":[{"request":"gpu","driver":"gpu.example.com","pool":"%1$s","device":"gpu-2"}]},\
                "nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["%1$s"]}]}]}},\
                "reservedFor":[{"resource":"pods","name":"%2$s","uid":"%3$s"}]}""".formatted(node(number), name(number), podUid));
    }
}
