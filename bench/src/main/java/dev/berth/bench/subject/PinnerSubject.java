package dev.berth.bench.subject;

import dev.berth.bench.Connection;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.bench.door.SliceNodes;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The pinner's scheduler: from the creation of a pod with a map until a watch shows its node. */
record PinnerSubject(Site site, Target door, BoundPods bound) implements Subject {
    private static final String SCHEDULER = "pinner";
    private static final String NAMESPACE = "pinned";
    private static final String PODS = "/api/v1/namespaces/%s/pods".formatted(NAMESPACE);
    /** What the pods that run already leave free on every node; the last card is left to the one that counts GPUs. */
    private static final int FIRST_FREE = 3;

    private static final int FREE = 4;

    static Subject open(Site site) throws IOException {
        int port = Servers.freePort();
        var door = site.start(
                SCHEDULER,
                Site.loopback("http", port),
                List.of(
                        "pinner",
                        "scheduler",
                        "--kubeconfig=" + site.kubeconfig(),
                        "--name=" + SCHEDULER,
                        "--no-leader-elect",
                        "--bind-address=127.0.0.1",
                        "--health-port=" + port,
                        "--log-level=warn"),
                Map.of());
        return new PinnerSubject(site, door, new BoundPods(site.kubeconfig(), NAMESPACE));
    }

    @Override
    public Customer customer() throws IOException {
        var server = new Connection(site.server());
        return new Customer() {
            private String name(int number) {
                return "%s-pin-%d".formatted(site.run(), number);
            }

            @Override
            public void ask(int number) throws IOException {
                var pod = name(number);
                bound.expect(pod);
                int first = site.shared() % site.nodes();
                int nodes = site.nodes() - first;
                int node = first + number % nodes;
                int gpu = FIRST_FREE + number / nodes % FREE;
                Site.post(server, PODS, """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","annotations":{"gpu-scheduling-map":"%d=%s:%d"}},\
                        "spec":{"schedulerName":"%s","containers":[{"name":"main","image":"none","resources":{"requests":{"cpu":"10m"}}}]}}""".formatted(pod, number, SliceNodes.name(node), gpu, SCHEDULER));
                bound.await(pod);
            }

            @Override
            public void giveBack(int number) throws IOException {
                Site.delete(server, PODS + "/" + name(number));
            }

            @Override
            public void close() throws IOException {
                server.close();
            }
        };
    }

    @Override
    public void close() {
        bound.close();
        door.close();
    }
}
