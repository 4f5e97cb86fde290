package dev.berth.kube.ledger;

import dev.berth.core.NodeName;
import dev.berth.kube.cache.Cache;
import io.fabric8.kubernetes.api.model.Node;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which UUID the card of each index has, as a node says in an annotation: {@code GPU-a,GPU-b,…} from index 0 on. */
public final class CardUuids {
    public static final String ANNOTATION = "berth.dev/gpu-uuids";

    private CardUuids() {}

    /** None where nothing is said, and where one UUID stands twice: that says nothing either. */
    public static List<String> of(Node node) {
        return of(node.getMetadata().getAnnotations());
    }

    public static List<String> of(Cache<Node> nodes, NodeName name) {
        return nodes.find("", name.value()).map(CardUuids::of).orElse(List.of());
    }

    private static List<String> of(@Nullable Map<String, String> annotations) {
        var text = Objects.requireNonNullElse(annotations, Map.<String, String>of())
                .getOrDefault(ANNOTATION, "");
        if (text.isBlank()) {
            return List.of();
        }
        var uuids = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        boolean usable = uuids.stream().noneMatch(String::isEmpty) && new HashSet<>(uuids).size() == uuids.size();
        return usable ? uuids : List.of();
    }

    public static String text(List<String> uuids) {
        return String.join(",", uuids);
    }
}
