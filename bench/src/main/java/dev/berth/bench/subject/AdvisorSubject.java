package dev.berth.bench.subject;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Connection;
import dev.berth.bench.PodBody;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.bench.door.Reviews;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The advisor's webhook with the agent in its process, asked over TLS about pods of a training job. */
record AdvisorSubject(Site site, Target door) implements Subject {
    static Subject open(Site site) throws IOException {
        int port = Servers.freePort();
        var door = site.start(
                "advisor",
                Site.loopback("https", port),
                List.of("advisor", "all", "--port=" + Servers.freePort(), "--webhook-port=" + port, "--self-signed"),
                Map.of(
                        "SCHEDULER_HOST",
                        "127.0.0.1",
                        "SCHEDULER_SQLITE_PATH",
                        site.folder().resolve(site.run() + "-agent.db").toString(),
                        "KUBECONFIG",
                        site.kubeconfig().toString()));
        return new AdvisorSubject(site, door);
    }

    private static byte[] review(String uid) {
        var pod = new String(PodBody.of("trainer-0"), UTF_8)
                .replace(
                        "\"annotations\":{",
                        "\"annotations\":{\"app.kubernetes.io/job-type\":\"train-bert\",\"gpu.mem.gi\":\"40\",");
        return Reviews.of(uid, "trainer-0", pod);
    }

    @Override
    public int customers() {
        return 8;
    }

    @Override
    public Customer customer() throws IOException {
        var webhook = new Connection(door);
        return new Customer() {
            @Override
            public void ask(int number) throws IOException {
                var review = review("%s-%d".formatted(site.run(), number));
                var answer = webhook.answer(webhook.request("POST", "/mutate?timeout=10s", review));
                if (!answer.contains("\"allowed\":true")) throw new IOException("not admitted: " + answer);
            }

            @Override
            public void close() throws IOException {
                webhook.close();
            }
        };
    }
}
