package dev.berth.core.share;

import dev.berth.core.policy.Policies;
import dev.berth.core.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;

/** Every policy by its name: those that know slices, and the others as they see a node's devices. */
public final class SharePolicies {
    private static final Map<String, Function<Supplier<Workload>, SharePolicy>> KNOW_SLICES = Map.of(
            "pack",
            _ -> new SharePack(),
            "spread",
            _ -> new ShareSpread(),
            "random",
            _ -> new ShareRandom(() -> ThreadLocalRandom.current().nextDouble()),
            "best-fit",
            _ -> new ShareBestFit(),
            "dot-product",
            _ -> new ShareDotProduct(),
            "gpu-packing",
            _ -> new GpuPacking(),
            "gpu-clustering",
            _ -> new GpuClustering(),
            LeastFragmentation.NAME,
            LeastFragmentation::new,
            LeastWaste.NAME,
            LeastWaste::new);

    private SharePolicies() {}

    public static List<String> names() {
        var names = new TreeSet<>(Policies.names());
        names.addAll(KNOW_SLICES.keySet());
        return List.copyOf(names);
    }

    /**
     * The policy of that name for devices that are given out whole.
     *
     * @throws IllegalArgumentException with the names there are, for a name that no policy has
     */
    public static Policy forDevices(String name) {
        return Policies.names().contains(name)
                ? Policies.named(name)
                : new DevicesByShare(named(name, () -> DevicesByShare.WHOLE_DEVICES));
    }

    /**
     * @param typical the workload, for policies that weigh what is likely to come
     * @throws IllegalArgumentException with the names there are, for a name that no policy has
     */
    public static SharePolicy named(String name, Supplier<Workload> typical) {
        var made = KNOW_SLICES.get(name);
        if (made != null) {
            return made.apply(typical);
        }
        if (!names().contains(name)) {
            throw new IllegalArgumentException(
                    "no policy is called '%s'; there are: %s".formatted(name, String.join(", ", names())));
        }
        return new ShareByPolicy(Policies.named(name));
    }
}
