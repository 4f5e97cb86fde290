package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import dev.berth.core.policy.Policy.Rank;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Host;
import dev.berth.core.share.Parcel;
import dev.berth.core.share.ShareDemand;
import dev.berth.core.share.SharePolicies;
import dev.berth.core.share.SharePolicy;
import dev.berth.core.share.ShareRandom;
import dev.berth.core.share.ShareSearch;
import dev.berth.core.share.Slice;
import dev.berth.core.share.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedClusterTest {
    private static final SplittableRandom NO_LOTS = new SplittableRandom(0);

    private static Machine machine(String name, long cpu, int gpus, String model) {
        return new Machine(name, cpu, 1024, gpus, model);
    }

    private static Task task(long cores, long cpu, String... models) {
        return new Task("t", new Parcel(new Slice(cores, 0), cpu, Set.of(models)), 1, Optional.empty());
    }

    private static SimulatedCluster cluster(Machine... machines) {
        return new SimulatedCluster(
                List.of(machines), SharePolicies.named("best-fit", () -> Workload.UNKNOWN), NO_LOTS);
    }

    @Test
    void nodesInTheSameStateCountOnce() {
        var cluster = cluster(machine("a", 9, 2, "T4"), machine("b", 9, 2, "T4"), machine("c", 9, 1, "T4"));
        assertThat(cluster.distinct()).isEqualTo(2);

        cluster.place(task(50, 1));
        assertThat(cluster.distinct()).isEqualTo(2);
        cluster.place(task(100, 1));
        assertThat(cluster.distinct()).isEqualTo(3);
    }

    @Test
    void amongEqualsTheFirstNodeWins() {
        var cluster = cluster(machine("a", 9, 2, "T4"), machine("b", 9, 2, "T4"));

        assertThat(cluster.place(task(200, 1)).orElseThrow().node()).isZero();
        assertThat(cluster.place(task(200, 1)).orElseThrow().node()).isEqualTo(1);
        assertThat(cluster.place(task(200, 1))).isEmpty();
    }

    @Test
    void whatLeavesMakesRoom() {
        var cluster = cluster(machine("a", 9, 2, "T4"));
        var first = cluster.place(task(60, 5)).orElseThrow();
        assertThat(cluster.place(task(100, 1))).isPresent();
        assertThat(cluster.place(task(50, 1))).isEmpty();
        assertThat(cluster.taken()).isEqualTo(160);

        cluster.remove(first);

        assertThat(cluster.taken()).isEqualTo(100);
        assertThat(cluster.place(task(50, 8)).orElseThrow().devices()).containsExactly(0);
    }

    @Test
    void aPodThatWaitsIsToldWhy() {
        var cluster = cluster(machine("a", 10, 2, "T4"), machine("b", 10, 1, "A10"));
        cluster.place(task(60, 1, "T4"));
        cluster.place(task(60, 1, "T4"));

        assertThat(cluster.why(task(80, 1, "T4"))).isEqualTo(Why.OTHER_MODEL);
        assertThat(cluster.why(task(40, 99))).isEqualTo(Why.NO_CPU);
        assertThat(cluster.why(task(0, 99))).isEqualTo(Why.NOTHING_LEFT);
        cluster.place(task(100, 1));
        assertThat(cluster.why(task(60, 1))).isEqualTo(Why.FRAGMENTS);
        assertThat(cluster.why(task(100, 1))).isEqualTo(Why.NO_GPU_LEFT);
    }

    @Test
    void lotsFallOnEveryNode() {
        var lots = new SplittableRandom(1);
        var seen = new boolean[3];
        for (int round = 0; round < 100; round++) {
            var cluster = new SimulatedCluster(
                    List.of(machine("a", 9, 2, "T4"), machine("b", 9, 2, "T4"), machine("c", 8, 2, "T4")),
                    new ShareRandom(lots::nextDouble),
                    lots);
            seen[cluster.place(task(50, 1)).orElseThrow().node()] = true;
        }

        assertThat(seen).containsExactly(true, true, true);
    }

    /** What is simulated is what runs: every node asked as the extender asks it gives the same answer. */
    @ParameterizedTest
    @ValueSource(
            strings = {"fgd", "best-fit", "dot-product", "gpu-packing", "gpu-clustering", "pack", "spread", "berth"})
    void groupingAndRememberingChangesNoDecision(String name) {
        var trace = GeneratedTrace.of(12, 250, 5);
        var workload = trace.workload();
        var policy = SharePolicies.named(name, () -> workload);
        var cluster = new SimulatedCluster(trace.machines(), policy, NO_LOTS);
        var plain = new PlainCluster(trace.machines(), policy);

        for (var task : trace.tasks()) {
            assertThat(cluster.place(task).map(Seat::node)).isEqualTo(plain.place(task));
        }
    }

    /** Every node on its own, nothing remembered. */
    private static final class PlainCluster {
        private final SharePolicy policy;
        private final List<GpuNode> nodes = new ArrayList<>();

        PlainCluster(List<Machine> machines, SharePolicy policy) {
            this.policy = policy;
            for (var machine : machines) {
                var cards = new long[machine.gpus()];
                Arrays.fill(cards, Slice.WHOLE);
                nodes.add(GpuNode.withCores(
                        new NodeName("node"), new Host(machine.model(), machine.cpu(), machine.memory(), 0), cards));
            }
        }

        Optional<Integer> place(Task task) {
            int best = -1;
            Rank lowest = Rank.EQUAL;
            for (int node = 0; node < nodes.size(); node++) {
                var after = tried(nodes.get(node), task);
                if (after.isPresent()) {
                    var rank = policy.node(nodes.get(node), after.get());
                    if (best < 0 || rank.compareTo(lowest) < 0) {
                        best = node;
                        lowest = rank;
                    }
                }
            }
            if (best < 0) {
                return Optional.empty();
            }
            nodes.set(best, tried(nodes.get(best), task).orElseThrow());
            return Optional.of(best);
        }

        private Optional<GpuNode> tried(GpuNode node, Task task) {
            var host = node.host();
            var slice = task.parcel().slice();
            if (host.cpu() < task.parcel().cpu() || host.memory() < task.memory()) {
                return Optional.empty();
            }
            var rest = host.charged(task.parcel().cpu(), task.memory(), slice.cores());
            return ShareSearch.charged(node, slice, rest, policy);
        }
    }

    @Test
    void theQuickSearchFindsWhatTheExtendersSearchFinds() {
        var node = GpuNode.withCores(new NodeName("n"), Host.UNKNOWN, new long[] {30, 100, 60, 100});
        var policy = SharePolicies.named("pack", () -> Workload.UNKNOWN);
        for (long cores : new long[] {10, 30, 50, 70, 100, 200}) {
            var slow = ShareSearch.place(node, ShareDemand.of(new Slice(cores, 0)), policy)
                    .orElseThrow()
                    .after();
            var quick = ShareSearch.charged(node, new Slice(cores, 0), Host.UNKNOWN, policy)
                    .orElseThrow();

            assertThat(quick).hasToString(slow.toString());
        }
    }
}
