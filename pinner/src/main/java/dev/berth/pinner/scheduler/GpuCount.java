package dev.berth.pinner.scheduler;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;

/** How many GPUs a node has, where it says so. */
public final class GpuCount {
    private static final String LABEL = "nvidia.com/gpu.count";
    private static final String RESOURCE_END = "/gpu";

    private GpuCount() {}

    /** The label of the vendor's discovery first: a resource may count the shares of a card. */
    public static OptionalInt of(Node node) {
        var label = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
                .get(LABEL);
        if (label != null && label.matches("\\d{1,4}")) {
            return OptionalInt.of(Integer.parseInt(label));
        }
        if (node.getStatus() == null) {
            return OptionalInt.empty();
        }
        Map<String, Quantity> capacity =
                Objects.requireNonNullElse(node.getStatus().getCapacity(), Map.of());
        return capacity.entrySet().stream()
                .filter(resource -> resource.getKey().endsWith(RESOURCE_END))
                .map(Map.Entry::getValue)
                .mapToInt(GpuCount::whole)
                .filter(count -> count >= 0)
                .findFirst();
    }

    private static int whole(Quantity quantity) {
        var amount = quantity.getAmount();
        return amount != null && amount.matches("\\d{1,4}") ? Integer.parseInt(amount) : -1;
    }
}
