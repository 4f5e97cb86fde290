package dev.berth.pinner.scheduler;

import dev.berth.core.DeviceId;
import dev.berth.core.explain.Shown;
import dev.berth.kube.ledger.CardUuids;
import dev.berth.pinner.map.GpuNames;
import io.fabric8.kubernetes.api.model.Node;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The GPUs of a node, as far as it says which it has.
 *
 * @param uuids by index, as far as they are published
 */
record NodeGpus(OptionalInt count, List<String> uuids) {
    /** Of a node of which nothing is known. */
    static final NodeGpus UNSAID = new NodeGpus(OptionalInt.empty(), List.of());

    /** A node that does not say how many GPUs it has may have as many: more stand in no machine of today. */
    private static final int PERHAPS = 16;

    private static final String CARD = "GPU-";

    static NodeGpus of(Node node) {
        var uuids = CardUuids.of(node);
        var said = GpuCount.of(node);
        return new NodeGpus(said.isPresent() || uuids.isEmpty() ? said : OptionalInt.of(uuids.size()), uuids);
    }

    /** How many there are, or may be. */
    int most() {
        return count.orElse(PERHAPS);
    }

    /**
     * What a list names, as this door calls it in the ledger. A GPU has one name there, its index where that is known:
     * under two names it would be given away twice.
     */
    List<DeviceId> named(GpuNames names) {
        var devices = new LinkedHashSet<DeviceId>();
        names.indexes().forEach(index -> devices.add(DeviceId.ofIndex(index)));
        if (names.all()) {
            IntStream.range(0, most()).mapToObj(DeviceId::ofIndex).forEach(devices::add);
        }
        names.uuids().forEach(uuid -> devices.add(device(uuid)));
        return List.copyOf(devices);
    }

    private DeviceId device(String uuid) {
        var index = index(uuid);
        return index.isPresent() ? DeviceId.ofIndex(index.getAsInt()) : new DeviceId(uuid);
    }

    /** As CUDA reads it: the beginning of a UUID will do where no other begins so. */
    private OptionalInt index(String uuid) {
        int whole = uuids.indexOf(uuid);
        if (whole >= 0) {
            return OptionalInt.of(whole);
        }
        var beginning = IntStream.range(0, uuids.size())
                .filter(index -> uuids.get(index).startsWith(uuid))
                .limit(2)
                .toArray();
        return beginning.length == 1 ? OptionalInt.of(beginning[0]) : OptionalInt.empty();
    }

    /** Which of them the node does not have; one that does not say what it has is believed to have all. */
    Optional<String> missing(GpuNames names) {
        if (!names.strange().isEmpty()) {
            return Optional.of(noGpu(names.strange().getFirst()));
        }
        if (count.isEmpty()) {
            return Optional.empty();
        }
        var beyond = names.beyond(count.getAsInt());
        if (!beyond.isEmpty()) {
            var has = count.getAsInt() == 0 ? "it has none" : "it has 0 to " + (count.getAsInt() - 1);
            return Optional.of("there is no GPU %s: %s"
                    .formatted(Shown.of(beyond.stream().map(String::valueOf).collect(Collectors.joining(", "))), has));
        }
        return uuids.size() < count.getAsInt()
                ? Optional.empty()
                : unknown(names).map(NodeGpus::noGpu);
    }

    /** Parts of cards are not published: they are believed. */
    private Optional<String> unknown(GpuNames names) {
        return names.uuids().stream()
                .filter(uuid -> uuid.startsWith(CARD) && index(uuid).isEmpty())
                .findFirst();
    }

    private static String noGpu(String name) {
        return "'%s' is no GPU of it".formatted(Shown.of(name));
    }
}
