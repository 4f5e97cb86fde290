package dev.berth.bench.door;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.place.Choices;
import dev.berth.assigner.wire.PodRequest;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Ledger;
import dev.berth.core.policy.FewestFree;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Verdict;
import dev.berth.kube.cache.Change;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The assigner's decision: which GPU a pod gets among nodes of eight. After each decision the GPU is held, so that no
 * question is asked twice of the same cluster; when half of the GPUs are held, all are given back.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class AssignerBenchmark {
    @Param("1000")
    private int nodes;

    private NodeRooms rooms = new NodeRooms();
    private Gpus gpus = new Gpus((_, _) -> {});
    private Choices choices = new Choices(gpus, rooms, new FewestFree());
    private Ledger ledger = Ledger.EMPTY;
    private @Nullable PodRequest asked;
    private @Nullable PodNeeds needs;
    private int held;
    private long pods;

    @Setup
    public void fill() throws JsonProcessingException {
        var serialization = new KubernetesSerialization(new ObjectMapper(), false);
        for (int number = 0; number < nodes; number++) {
            var node = new Change.Added<>(serialization.unmarshal(GpuNodes.json(number), Node.class));
            gpus.heard(node);
            rooms.heardNode(node);
        }
        var pod = Reviews.pod("pod");
        asked = PodRequest.of((ObjectNode) new ObjectMapper().readTree(pod), "race");
        needs = PodNeeds.of(serialization.unmarshal(pod, Pod.class));
    }

    @Benchmark
    public Verdict decide() {
        if (asked == null || needs == null) throw new IllegalStateException("not filled");
        var verdict = choices.choose(asked, needs, ledger);
        if (!(verdict instanceof Placement placement)) throw new IllegalStateException("nothing free: " + verdict);
        hold(placement);
        return verdict;
    }

    private void hold(Placement placement) {
        var holder = Holder.pod(Door.ASSIGNER, "race", "pod", "uid-" + pods++);
        var holdings = ledger.of(placement.node());
        for (var grant : placement.grants()) {
            holdings = holdings.taking(Entry.confirmed(grant.device().id(), holder, grant.share()));
            held++;
        }
        ledger = ledger.with(placement.node(), holdings);
        if (held * 2 > nodes * GpuNodes.GPUS) {
            ledger = Ledger.EMPTY;
            held = 0;
        }
    }
}
