package dev.berth.assigner.device;

import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.demand.Filter;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The GPUs that carry all of these labels; those of a pod that names none are all. */
public record Labelled(Set<String> wanted) implements Filter {
    public Labelled {
        wanted = Set.copyOf(wanted);
    }

    @Override
    public Optional<String> refuses(Device device) {
        var labels = device.attributes().get(Gpus.LABELS) instanceof Attribute.Many(var values)
                ? values
                : List.<Attribute>of();
        return wanted.stream()
                .filter(label -> !labels.contains(new Attribute.Text(label)))
                .min(String::compareTo)
                .map(label -> "lacks the label " + label);
    }

    @Override
    public Optional<Set<String>> reads() {
        return Optional.of(Set.of(Gpus.LABELS));
    }
}
