package dev.berth.e2e.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.server.FaultProxy.Fault;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Timeout;

/** An API server that refuses, forgets to answer, is slow and drops watches: no GPU is given twice. */
@OnBothServers
class FaultsIT {
    private static final int GPUS = 16;
    private static final int PODS = 40;

    @Story
    @Timeout(300)
    void aFailingApiServerMakesNobodyShareAGpuWithTheSharedLedger(Cluster server) throws Exception {
        storm(server, "--ledger=shared");
    }

    @Story
    @Timeout(300)
    void aFailingApiServerMakesNobodyShareAGpuWithLeasesAlone(Cluster server) throws Exception {
        storm(server, "--ledger=own");
    }

    private static void storm(Cluster server, String ledger) throws Exception {
        try (var gpus = new GpuCluster(server);
                var proxy = FaultProxy.start(server)) {
            gpus.addNodes(4, GPUS / 4);
            try (var first = Replica.start(proxy.kubeconfig(), gpus.claims(), ledger);
                    var second = Replica.start(proxy.kubeconfig(), gpus.claims(), ledger)) {
                var random = new Random(42);
                proxy.plan(request -> fault(request, random));

                var granted = ask(gpus, "stormy", first, second);
                proxy.cutWatches();
                granted.putAll(ask(gpus, "cut", first, second));
                proxy.plan(request -> Fault.NONE);
                granted.putAll(ask(gpus, "calm", first, second));

                var uuids = granted.values().stream()
                        .flatMap(response -> GpuCluster.uuids(response).stream())
                        .toList();
                assertThat(new HashSet<>(uuids)).as("no GPU twice").hasSameSizeAs(uuids);
                // What is not granted is a proposal whose asker was told that it failed; it expires by itself.
                assertThat(gpus.leases()).hasSize(GPUS);

                granted.forEach(gpus::create);
                GpuCluster.await(
                        "every pod has its lease",
                        () -> gpus.leases().stream()
                                        .filter(lease -> "active"
                                                .equals(lease.getMetadata()
                                                        .getLabels()
                                                        .get("fudo.org/gpu.reservation-state")))
                                        .count()
                                == granted.size());
            }
        }
    }

    /** A seventh of the writes and a tenth of the reads go wrong, each in another way. */
    private static Fault fault(FaultProxy.Request request, Random random) {
        if (request.watch()
                || !(request.path().contains("/leases") || request.path().contains("/nodeledgers"))) {
            return Fault.NONE;
        }
        int dice;
        synchronized (random) {
            dice = random.nextInt(70);
        }
        boolean write = !request.method().equals("GET");
        return switch (dice) {
            case 0, 1 -> write ? new Fault.Refuse(409) : Fault.NONE;
            case 2, 3 -> new Fault.Refuse(500);
            case 4, 5 -> write ? new Fault.Lose(500) : new Fault.Slow(Duration.ofMillis(200));
            case 6 -> new Fault.Refuse(429);
            case 7, 8, 9 -> new Fault.Slow(Duration.ofMillis(300));
            default -> Fault.NONE;
        };
    }

    private static Map<String, JsonNode> ask(GpuCluster gpus, String prefix, Replica... replicas) throws Exception {
        var calls = new ArrayList<Callable<Map.Entry<String, JsonNode>>>();
        for (int pod = 0; pod < PODS; pod++) {
            var name = prefix + "-" + pod;
            var replica = replicas[pod % replicas.length];
            calls.add(() ->
                    Map.entry(name, GpuCluster.response(replica.mutate(gpus.review(name + gpus.claims(), name, 1)))));
        }
        var granted = new HashMap<String, JsonNode>();
        try (var threads = Executors.newFixedThreadPool(8)) {
            for (var answer : threads.invokeAll(calls)) {
                if (answer.get().getValue().path("allowed").asBoolean()) {
                    granted.put(answer.get().getKey(), answer.get().getValue());
                }
            }
        }
        return granted;
    }
}
