package dev.berth.apiserver.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The Node and Lease objects of simulated nodes, as a kubelet would write them. */
final class NodeObjects {
    static final String SIMULATED = "berth.dev/simulated";

    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                    "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private NodeObjects() {}

    static ObjectNode node(String name, int number, NodeShape shape, String version, Instant now) {
        var node = JsonNodeFactory.instance.objectNode();
        node.put("apiVersion", "v1").put("kind", "Node");
        ObjectNode metadata = node.putObject("metadata").put("name", name);
        ObjectNode labels = metadata.putObject("labels");
        for (String prefix : new String[] {"kubernetes.io/", "beta.kubernetes.io/"}) {
            labels.put(prefix + "arch", "amd64").put(prefix + "os", "linux");
        }
        labels.put("kubernetes.io/hostname", name);
        labels.put("type", "simulated");
        if (shape.gpus() > 0) {
            labels.put("nvidia.com/gpu.present", "true")
                    .put("nvidia.com/gpu.count", Integer.toString(shape.gpus()))
                    .put("nvidia.com/gpu.product", shape.model())
                    .put("nvidia.com/gpu.memory", Integer.toString(shape.gpuMemoryMib()));
        }
        shape.labels().forEach(labels::put);
        ObjectNode annotations = metadata.putObject("annotations");
        annotations.put(SIMULATED, "true").put("node.alpha.kubernetes.io/ttl", "0");
        shape.annotations().forEach(annotations::put);
        node.putObject("spec").put("podCIDR", "10.%d.%d.0/24".formatted(128 + (number >> 8) % 64, number & 0xff));
        status(node.putObject("status"), name, number, shape, version, now);
        return node;
    }

    static ObjectNode status(ObjectNode status, String name, int number, NodeShape shape, String version, Instant now) {
        for (String list : new String[] {"capacity", "allocatable"}) {
            ObjectNode amounts = status.putObject(list);
            amounts.put("cpu", shape.cpu())
                    .put("ephemeral-storage", "1Ti")
                    .put("hugepages-1Gi", "0")
                    .put("hugepages-2Mi", "0")
                    .put("memory", shape.memory());
            if (shape.gpus() > 0) amounts.put("nvidia.com/gpu", Integer.toString(shape.gpus()));
            amounts.put("pods", Integer.toString(shape.pods()));
            shape.resources().forEach(amounts::put);
        }
        var conditions = status.putArray("conditions");
        condition(conditions.addObject(), "MemoryPressure", "False", "KubeletHasSufficientMemory", now)
                .put("message", "kubelet has sufficient memory available");
        condition(conditions.addObject(), "DiskPressure", "False", "KubeletHasNoDiskPressure", now)
                .put("message", "kubelet has no disk pressure");
        condition(conditions.addObject(), "PIDPressure", "False", "KubeletHasSufficientPID", now)
                .put("message", "kubelet has sufficient PID available");
        condition(conditions.addObject(), "Ready", "True", "KubeletReady", now)
                .put("message", "kubelet is posting ready status");
        var addresses = status.putArray("addresses");
        addresses.addObject().put("type", "InternalIP").put("address", hostAddress(number));
        addresses.addObject().put("type", "Hostname").put("address", name);
        status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
        status.putObject("nodeInfo")
                .put("machineID", name)
                .put("systemUUID", name)
                .put("bootID", name)
                .put("kernelVersion", "6.8.0")
                .put("osImage", "Berth simulated node")
                .put("containerRuntimeVersion", "berth://1")
                .put("kubeletVersion", version)
                .put("kubeProxyVersion", "")
                .put("operatingSystem", "linux")
                .put("architecture", "amd64");
        return status;
    }

    private static ObjectNode condition(ObjectNode condition, String type, String value, String reason, Instant now) {
        return condition
                .put("type", type)
                .put("status", value)
                .put("lastHeartbeatTime", seconds(now))
                .put("lastTransitionTime", seconds(now))
                .put("reason", reason);
    }

    static ObjectNode lease(String name, String uid, Instant now) {
        var lease = JsonNodeFactory.instance.objectNode();
        lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata = lease.putObject("metadata").put("name", name).put("namespace", "kube-node-lease");
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", "v1")
                .put("kind", "Node")
                .put("name", name)
                .put("uid", uid);
        lease.putObject("spec")
                .put("holderIdentity", name)
                .put("leaseDurationSeconds", 40)
                .put("renewTime", micros(now));
        return lease;
    }

    static String hostAddress(int number) {
        return "10.%d.%d.%d".formatted(192 + (number >> 16) % 32, (number >> 8) & 0xff, number & 0xff);
    }

    static String podAddress(int number, int pod) {
        return "10.%d.%d.%d".formatted(128 + (number >> 8) % 64, number & 0xff, 1 + pod % 254);
    }

    static String seconds(Instant now) {
        return now.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Leases have six digits, also when they are zeros. */
    static String micros(Instant now) {
        return MICROS.format(now);
    }
}
