package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.Timeout;

/** Many pods at once, and two replicas that know of each other only through the API server. */
@OnBothServers
class CrowdIT {
    private static final int PODS = 500;
    private static final int NODES = 25;
    private static final int GPUS = 8;

    @Story
    @Timeout(300)
    void ofFiveHundredPodsTwoHundredGetAGpuWithTheSharedLedger(Cluster server) throws Exception {
        crowd(server, "--ledger=shared");
    }

    @Story
    @Timeout(300)
    void ofFiveHundredPodsTwoHundredGetAGpuWithLeasesAlone(Cluster server) throws Exception {
        crowd(server, "--ledger=own");
    }

    private static void crowd(Cluster server, String ledger) throws Exception {
        try (var gpus = new GpuCluster(server)) {
            gpus.addNodes(NODES, GPUS);
            try (var first = Replica.start(server.kubeconfig(), gpus.claims(), ledger);
                    var second = Replica.start(server.kubeconfig(), gpus.claims(), ledger)) {
                var answers = ask(gpus, first, second);

                Map<Integer, Long> refused = new HashMap<>();
                var granted = new ArrayList<String>();
                answers.forEach((pod, response) -> {
                    if (response.path("allowed").asBoolean()) {
                        granted.addAll(GpuCluster.uuids(response));
                    } else {
                        refused.merge(response.path("status").path("code").asInt(), 1L, Long::sum);
                    }
                });
                assertThat(refused).isEqualTo(Map.of(429, (long) PODS - NODES * GPUS));
                assertThat(granted).hasSize(NODES * GPUS);
                assertThat(new HashSet<>(granted)).as("no GPU twice").hasSize(NODES * GPUS);
                assertThat(gpus.leases()).hasSize(NODES * GPUS);

                allComeAndGo(gpus, answers);
            }
        }
    }

    private static Map<String, JsonNode> ask(GpuCluster gpus, Replica... replicas) throws Exception {
        var calls = new ArrayList<Callable<Map.Entry<String, JsonNode>>>();
        for (int pod = 0; pod < PODS; pod++) {
            var name = "pod-%03d".formatted(pod);
            var replica = replicas[pod % replicas.length];
            calls.add(() -> Map.entry(
                    name, GpuCluster.response(replica.mutate(gpus.review("req-" + name + gpus.claims(), name, 1)))));
        }
        var answers = new HashMap<String, JsonNode>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(calls)) {
                answers.put(answer.get().getKey(), answer.get().getValue());
            }
        }
        return answers;
    }

    private static void allComeAndGo(GpuCluster gpus, Map<String, JsonNode> answers) throws Exception {
        var admitted = answers.entrySet().stream()
                .filter(answer -> answer.getValue().path("allowed").asBoolean())
                .toList();
        each(admitted, answer -> gpus.create(answer.getKey(), answer.getValue()));
        GpuCluster.await(
                "every reservation is its pod's",
                () -> gpus.leases().stream()
                        .allMatch(lease -> "active"
                                .equals(lease.getMetadata().getLabels().get("fudo.org/gpu.reservation-state"))));
        assertThat(gpus.leases()).hasSize(NODES * GPUS);

        each(admitted, answer -> {
            gpus.remove(answer.getKey());
            return answer;
        });
        GpuCluster.await("no lease is left", () -> gpus.leases().isEmpty());
        GpuCluster.await("no line of the ledgers is left", () -> gpus.held() == 0);
    }

    private static <T> void each(List<T> items, Function<T, ?> action) throws Exception {
        try (var threads = Executors.newFixedThreadPool(16)) {
            var calls = items.stream()
                    .<Callable<Object>>map(item -> () -> action.apply(item))
                    .toList();
            for (var done : threads.invokeAll(calls)) {
                done.get();
            }
        }
    }
}
