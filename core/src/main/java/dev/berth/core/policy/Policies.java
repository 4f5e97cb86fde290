package dev.berth.core.policy;

import java.util.Comparator;
import java.util.List;

/** Every policy by its name. */
public final class Policies {
    private static final List<Policy> ALL =
            List.of(new FewestFree(), new Listed(), new Pack(), new Random(0), new Spread());

    private Policies() {}

    public static List<String> names() {
        return ALL.stream().map(Policy::name).sorted(Comparator.naturalOrder()).toList();
    }

    /** @throws IllegalArgumentException with the names there are, for a name that no policy has */
    public static Policy named(String name) {
        return ALL.stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no policy is called '%s'; there are: %s".formatted(name, String.join(", ", names()))));
    }
}
