package dev.berth.bench;

import dev.berth.claims.cel.Expression;
import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Filter;
import dev.berth.core.policy.Policies;
import dev.berth.core.policy.Policy;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Verdict;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
 * One pod placed on a cluster of nodes with eight GPUs each. After each placement the ledger holds it, so that no
 * question is asked twice of the same cluster; when half of the devices are held, all are given back.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EngineBenchmark {
    private static final int GPUS = 8;

    /** What the pod asks for. */
    public enum Shape {
        ONE_GPU,
        TWO_GPUS_BY_CEL,
        FOUR_GPUS_ON_ONE_NUMA_NODE
    }

    @Param({"500", "10000"})
    private int nodes;

    @Param
    private Shape shape = Shape.ONE_GPU;

    /** The first takes the first node that will do; the second asks every node and takes the fullest. */
    @Param({"listed", "fewest-free"})
    private String policyName = "";

    private Inventory inventory = Inventory.EMPTY;
    private Ledger ledger = Ledger.EMPTY;
    private Allocator allocator = new Allocator();
    private Demand demand = Demand.of("none");
    private Policy policy = Policies.named("listed");
    private int held;
    private long pods;

    /** Devices that an expression accepts. */
    private record ByCel(Expression expression) implements Filter {
        @Override
        public Optional<String> refuses(Device device) {
            return expression.refuses(device.attributes());
        }

        @Override
        public Optional<Set<String>> reads() {
            return expression.reads();
        }
    }

    @Setup
    public void fill() {
        for (int node = 0; node < nodes; node++) {
            var name = new NodeName("node-%05d".formatted(node));
            var devices = new ArrayList<Device>();
            for (int index = 0; index < GPUS; index++) {
                devices.add(gpu(name, index));
            }
            inventory = inventory.with(name, devices);
        }
        policy = Policies.named(policyName);
        demand = switch (shape) {
            case ONE_GPU -> Demand.of("pod", Ask.of("gpu", 1, Filter.EVERY));
            case TWO_GPUS_BY_CEL ->
                Demand.of(
                        "pod",
                        Ask.of(
                                "gpu",
                                2,
                                new ByCel(Expression.of("device.model == 'H100' && device.memory >= '40Gi'"))));
            case FOUR_GPUS_ON_ONE_NUMA_NODE ->
                Demand.of("pod", Ask.of("gpu", 4, Filter.EVERY)).with(Constraint.same("numa"));
        };
    }

    void fill(int nodeCount, Shape wanted, String policyCalled) {
        nodes = nodeCount;
        shape = wanted;
        policyName = policyCalled;
        fill();
    }

    private static Device gpu(NodeName node, int index) {
        return new Device(new DeviceId("gpu-" + index), node)
                .withAttributes(Map.of(
                        "model", new Attribute.Text("H100"),
                        "memory", new Attribute.Amount(Quantity.parse("80Gi")),
                        "numa", new Attribute.Text(index < GPUS / 2 ? "0" : "1"),
                        "uuid", new Attribute.Text("GPU-%s-%d".formatted(node, index))))
                .withIndex(index);
    }

    @Benchmark
    public Verdict place() {
        var verdict = allocator.place(inventory, ledger, demand, policy, Deadline.NONE);
        if (verdict instanceof Placement placement) {
            hold(placement);
        }
        if (held * 2 > nodes * GPUS) {
            ledger = Ledger.EMPTY;
            held = 0;
        }
        return verdict;
    }

    private void hold(Placement placement) {
        Holdings holdings = ledger.of(placement.node());
        var holder = Holder.pod(Door.CLAIMS, "default", "pod", "uid-" + pods++);
        for (var grant : placement.grants()) {
            holdings = holdings.taking(Entry.confirmed(grant.device().id(), holder, grant.share()));
            held++;
        }
        ledger = ledger.with(placement.node(), holdings);
    }
}
