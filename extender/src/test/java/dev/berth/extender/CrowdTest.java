package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.web.HttpServer;
import dev.berth.web.health.Metrics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Two extenders that know of each other only through the API server. */
class CrowdTest {
    private static final int NODES = 5;
    private static final int GPUS = 4;
    private static final int PER_GPU = 4;

    @Test
    void everySliceIsGivenOnceAndNoneIsLeftOver() throws Exception {
        try (var stage = new Stage(true)) {
            var names = new String[NODES];
            for (int node = 0; node < NODES; node++) {
                names[node] = "n" + node;
                stage.node(names[node], GPUS * 100, GPUS * 8);
            }
            var second = stage.replica(new Metrics());
            Stage.await("the second extender to know the nodes", () -> knows(second, names));

            var calls = new ArrayList<Callable<String>>();
            int room = NODES * GPUS * PER_GPU;
            for (int number = 0; number < room + 10; number++) {
                var pod = stage.pod("crowd-" + number, "25/2");
                var replica = number % 2 == 0 ? stage.web() : second;
                calls.add(() -> Stage.chosen(Stage.ask(
                                replica,
                                "/scheduler/predicates",
                                stage.request(pod, names).toString()))
                        + "/"
                        + stage.index(pod, 0));
            }
            var places = new HashMap<String, Integer>();
            try (var threads = Executors.newFixedThreadPool(16)) {
                for (var answer : threads.invokeAll(calls)) {
                    places.merge(answer.get(), 1, Integer::sum);
                }
            }

            assertThat(places.remove("none/none")).as("refused").isEqualTo(10);
            assertThat(places).hasSize(NODES * GPUS);
            assertThat(places.values()).containsOnly(PER_GPU);
        }
    }

    private static boolean knows(HttpServer replica, String... names) {
        var request = Stage.JSON.createObjectNode();
        request.putObject("Pod").putObject("metadata").put("name", "probe");
        List.of(names).forEach(request.withArray("NodeNames")::add);
        return Stage.ask(replica, "/scheduler/priorities", request.toString())
                .valueStream()
                .allMatch(score -> score.path("Score").asInt() == 0);
    }
}
