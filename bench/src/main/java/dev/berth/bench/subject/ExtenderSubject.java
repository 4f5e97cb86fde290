package dev.berth.bench.subject;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.bench.Connection;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import dev.berth.bench.door.SliceNodes;
import dev.berth.bench.door.SlicePods;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The extender, asked as kube-scheduler asks, with the names of all nodes; the binding follows behind the timed part.
 */
record ExtenderSubject(Site site, Target door, String names) implements Subject {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Subject open(Site site) throws IOException {
        int port = Servers.freePort();
        var door = site.start(
                "extender",
                Site.loopback("http", port),
                List.of(
                        "extender",
                        "--kubeconfig=" + site.kubeconfig(),
                        "--address=127.0.0.1:" + port,
                        "--pprofAddress=127.0.0.1:" + Servers.freePort(),
                        "--ledger=shared"),
                Map.of());
        var names = new StringJoiner("\",\"", ",\"NodeNames\":[\"", "\"]}");
        for (int node = 0; node < site.shared(); node++) names.add(SliceNodes.name(node));
        return new ExtenderSubject(site, door, names.toString());
    }

    /** kube-scheduler asks about one pod after the other; a second one makes pods and binds them meanwhile. */
    @Override
    public int customers() {
        return 2;
    }

    @Override
    public Customer customer() throws IOException {
        var questions = new Connection(door);
        var server = new Connection(site.server());
        return new Customer() {
            private String pod = "";
            private String node = "";

            @Override
            public void prepare(int number) throws IOException {
                var body = SlicePods.pod("%s-slice-%d".formatted(site.run(), number));
                pod = Site.post(server, SlicePods.PODS, body.toString());
            }

            @Override
            public void ask(int number) throws IOException {
                var body = ("{\"Pod\":" + pod + names).getBytes(StandardCharsets.UTF_8);
                var answer = JSON.readTree(questions.answer(questions.request("POST", "/scheduler/predicates", body)));
                node = answer.path("NodeNames").path(0).asText("");
                if (node.isEmpty()) throw new IOException("no node: " + answer.path("Error"));
            }

            @Override
            public void giveBack(int number) throws IOException {
                var name = SlicePods.name(pod);
                SlicePods.bind(server, name, node);
                Site.delete(server, SlicePods.PODS + "/" + name);
            }

            @Override
            public void close() throws IOException {
                questions.close();
                server.close();
            }
        };
    }
}
