package dev.berth.bench.subject;

import dev.berth.assigner.wire.LeaseName;
import dev.berth.bench.Connection;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.bench.door.Reviews;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The assigner, asked over TLS to admit pods that want one GPU each. */
record AssignerSubject(Site site, Target door, Target webhook) implements Subject {
    private static final String CLAIMS = "gpu-claims";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/%s/leases".formatted(CLAIMS);
    private static final String ASKED = "asked-";
    private static final Pattern PATCH = Pattern.compile("\"patch\":\"([^\"]+)\"");
    private static final Pattern UUID = Pattern.compile("GPU-[0-9a-f-]{36}");

    static Subject open(Site site) throws IOException {
        int port = Servers.freePort();
        int pages = Servers.freePort();
        var door = site.start(
                "assigner",
                Site.loopback("http", pages),
                List.of(
                        "assigner",
                        "--kubeconfig=" + site.kubeconfig(),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--ui-port=" + pages,
                        "--claims-namespace=" + CLAIMS,
                        "--ledger=shared"),
                Map.of());
        return new AssignerSubject(
                site, door, new Target("assigner", Site.loopback("https", port), "", door.processes()));
    }

    @Override
    public Customer customer() throws IOException {
        return new Admitted(new Connection(webhook), new Connection(site.server()), site.run());
    }

    /** The API server that asks, and, behind the timed part, whoever gives the GPU back. */
    private static final class Admitted implements Customer {
        private final Connection webhook;
        private final Connection server;
        private final String run;
        private String uuid = "";

        Admitted(Connection webhook, Connection server, String run) {
            this.webhook = webhook;
            this.server = server;
            this.run = run;
        }

        @Override
        public void ask(int number) throws IOException {
            var review = Reviews.of("%s-%d".formatted(run, number), ASKED + number);
            var answer = webhook.answer(webhook.request("POST", "/mutate?timeout=10s", review));
            if (!answer.contains("\"allowed\":true")) throw new IOException("not admitted: " + answer);
            var patch = PATCH.matcher(answer);
            var found = patch.find()
                    ? UUID.matcher(new String(Base64.getDecoder().decode(patch.group(1)), StandardCharsets.UTF_8))
                    : UUID.matcher("");
            if (!found.find()) throw new IOException("no GPU in the patch: " + answer);
            uuid = found.group();
        }

        @Override
        public void giveBack(int number) throws IOException {
            Site.delete(server, LEASES + "/" + LeaseName.of(uuid));
        }

        @Override
        public void close() throws IOException {
            webhook.close();
            server.close();
        }
    }

    @Override
    public void awaitFree() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
        while (true) {
            try (var pages = new Connection(door);
                    var server = new Connection(site.server())) {
                if (!pages.ask("GET", "/devices").contains("\"assignment\"")
                        && !server.ask("GET", "/apis/berth.dev/v1alpha1/nodeledgers")
                                .contains(ASKED)) {
                    return;
                }
            }
            if (System.nanoTime() > deadline) throw new IOException("the GPUs are not given back");
            Thread.sleep(200);
        }
    }
}
