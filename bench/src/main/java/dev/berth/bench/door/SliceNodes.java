package dev.berth.bench.door;

import dev.berth.bench.Connection;
import dev.berth.bench.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;

/** Nodes of eight GPUs that are given out in parts: 5 KB of JSON each, as a kubelet with its image list makes them. */
public final class SliceNodes {
    public static final int GPUS = 8;
    public static final int MEMORY_EACH = 64;

    private SliceNodes() {}

    public static String name(int number) {
        return "node-%05d".formatted(number);
    }

    /** Creates those from one number up to another. */
    static void create(Target server, int from, int to) throws IOException, InterruptedException {
        new Crowd(8).make(to - from, () -> {
            var connection = new Connection(server);
            return new Crowd.Caller() {
                @Override
                public void call(int number) throws IOException {
                    connection.answer(connection.request(
                            "POST", "/api/v1/nodes", json(from + number).getBytes(StandardCharsets.UTF_8)));
                }

                @Override
                public void close() throws IOException {
                    connection.close();
                }
            };
        });
    }

    public static String json(int number) {
        var name = name(number);
        var amounts =
                "{\"cpu\":\"128\",\"memory\":\"1056315Mi\",\"ephemeral-storage\":\"1843Gi\",\"pods\":\"250\",\"hugepages-1Gi\":\"0\",\"hugepages-2Mi\":\"0\",\"tencent.com/vcuda-core\":\"%d\",\"tencent.com/vcuda-memory\":\"%d\"}"
                        .formatted(GPUS * 100, GPUS * MEMORY_EACH);
        return """
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%1$s","uid":"00000000-0000-4000-8000-%2$012d","labels":{"kubernetes.io/hostname":"%1$s",\
                "kubernetes.io/arch":"amd64","kubernetes.io/os":"linux","node.kubernetes.io/instance-type":"gpu8.large","topology.kubernetes.io/zone":"one",\
                "gaia.tencent.com/gpu-model":"M40","gaia.tencent.com/gpu-pool":"public"},\
                "annotations":{"node.alpha.kubernetes.io/ttl":"0","volumes.kubernetes.io/controller-managed-attach-detach":"true"}},\
                "spec":{"podCIDR":"10.0.0.0/24","podCIDRs":["10.0.0.0/24"],"providerID":"example://one/%1$s"},\
                "status":{"capacity":%3$s,"allocatable":%3$s,"conditions":[%4$s],\
                "addresses":[{"type":"InternalIP","address":"10.1.0.1"},{"type":"Hostname","address":"%1$s"}],\
                "daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},\
                "nodeInfo":{"machineID":"0123456789abcdef0123456789abcdef","systemUUID":"00000000-0000-4000-8000-000000000000","bootID":"00000000-0000-4000-8000-000000000001",\
                "kernelVersion":"6.8.0-60-generic","osImage":"Debian GNU/Linux 13","containerRuntimeVersion":"containerd://2.1.3","kubeletVersion":"v1.36.3",\
                "kubeProxyVersion":"v1.36.3","operatingSystem":"linux","architecture":"amd64"},"images":[%5$s]}}""".formatted(name, number, amounts, conditions(), images());
    }

    private static String conditions() {
        var all = new StringJoiner(",");
        for (var type : new String[] {"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"}) {
            all.add(
                    "{\"type\":\"%1$s\",\"status\":\"%2$s\",\"lastHeartbeatTime\":\"2026-11-16T06:00:00Z\",\"lastTransitionTime\":\"2026-11-01T06:00:00Z\",\"reason\":\"KubeletHas%1$s\",\"message\":\"kubelet says so\"}"
                            .formatted(type, type.equals("Ready") ? "True" : "False"));
        }
        return all.toString();
    }

    private static String images() {
        var all = new StringJoiner(",");
        for (int image = 0; image < 13; image++) {
            all.add(
                    "{\"names\":[\"registry.example.com/team/image-%1$02d@sha256:%2$064d\",\"registry.example.com/team/image-%1$02d:1.0\"],\"sizeBytes\":%3$d}"
                            .formatted(image, image, 100_000_000 + image));
        }
        return all.toString();
    }
}
