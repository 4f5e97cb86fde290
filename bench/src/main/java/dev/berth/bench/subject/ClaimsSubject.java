package dev.berth.bench.subject;

import dev.berth.bench.Connection;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** The claims scheduler: from the creation of a pod with a claim of one GPU until a watch shows its node. */
record ClaimsSubject(Site site, Target door, BoundPods bound) implements Subject {
    private static final Duration WATCHED = Duration.ofMillis(50);
    private static final String NAMESPACE = "claimed";
    private static final String PODS = "/api/v1/namespaces/%s/pods".formatted(NAMESPACE);
    private static final String CLAIMS = "/apis/resource.k8s.io/v1/namespaces/%s/resourceclaims".formatted(NAMESPACE);

    static Subject open(Site site) throws IOException {
        int port = Servers.freePort();
        var door = site.start(
                "claims",
                Site.loopback("http", port),
                List.of(
                        "claims",
                        "scheduler",
                        "--kubeconfig=" + site.kubeconfig(),
                        "--scheduler-name=berth",
                        "--lease-namespace=default",
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--log-level=warn"),
                Map.of());
        return new ClaimsSubject(site, door, new BoundPods(site.kubeconfig(), NAMESPACE));
    }

    @Override
    public Customer customer() throws IOException {
        var server = new Connection(site.server());
        return new Customer() {
            private String name(int number) {
                return "%s-claim-%d".formatted(site.run(), number);
            }

            @Override
            public void prepare(int number) throws IOException {
                Site.post(server, CLAIMS, """
                        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"%s"},\
                        "spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu"}}]}}}""".formatted(name(number)));
                // Whoever makes a claim for a pod tells the pod later: by then the scheduler's watch has shown it.
                LockSupport.parkNanos(WATCHED.toNanos());
            }

            @Override
            public void ask(int number) throws IOException {
                var pod = name(number);
                bound.expect(pod);
                Site.post(server, PODS, """
                        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%1$s"},"spec":{"schedulerName":"berth",\
                        "resourceClaims":[{"name":"gpu","resourceClaimName":"%1$s"}],"containers":[{"name":"main","image":"none",\
                        "resources":{"requests":{"cpu":"10m"},"claims":[{"name":"gpu"}]}}]}}""".formatted(pod));
                bound.await(pod);
            }

            @Override
            public void giveBack(int number) throws IOException {
                Site.delete(server, PODS + "/" + name(number));
                Site.delete(server, CLAIMS + "/" + name(number));
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
