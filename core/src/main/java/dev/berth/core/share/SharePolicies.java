package dev.berth.core.share;

import dev.berth.core.policy.Policies;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Every policy by its name: those that know slices, and the others as they see a node's devices. */
public final class SharePolicies {
    private SharePolicies() {}

    public static List<String> names() {
        var names = new TreeSet<>(Policies.names());
        names.addAll(List.of("pack", "spread", LeastFragmentation.NAME));
        return List.copyOf(names);
    }

    /**
     * @param typical the workload, for policies that weigh what is likely to come
     * @throws IllegalArgumentException with the names there are, for a name that no policy has
     */
    public static SharePolicy named(String name, Supplier<Workload> typical) {
        return switch (name) {
            case "pack" -> new SharePack();
            case "spread" -> new ShareSpread();
            case LeastFragmentation.NAME -> new LeastFragmentation(typical);
            default -> {
                if (!names().contains(name)) {
                    throw new IllegalArgumentException(
                            "no policy is called '%s'; there are: %s".formatted(name, String.join(", ", names())));
                }
                yield new ShareByPolicy(Policies.named(name));
            }
        };
    }
}
