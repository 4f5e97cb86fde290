package dev.berth.cli.defrag;

import dev.berth.core.Entry;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.policy.Pack;
import dev.berth.core.share.Slice;
import dev.berth.extender.wire.Assignment;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.MalformedRequestException;
import dev.berth.extender.wire.PodReader;
import dev.berth.kube.ledger.CountedPods;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a pod asks of GPUs and what it was given, in slices: the extender's own reading of pods that share GPUs, numbers
 * of GPUs for pods that no door takes, and the ledger's lines for all others.
 *
 * @param devices for each slice those that it has, by number; empty where nobody has written which
 * @param stays why nobody can plan for it; empty if somebody can
 */
record PodAsk(List<Slice> slices, Optional<List<List<Integer>>> devices, Optional<String> stays) {
    private static final PodAsk NOTHING = new PodAsk(List.of(), Optional.of(List.of()), Optional.empty());

    PodAsk {
        slices = List.copyOf(slices);
    }

    /** @param lines what the pod holds by the ledger */
    static PodAsk of(Pod pod, List<Entry> lines) {
        var shared = shared(pod);
        if (shared.isPresent()) {
            return shared.get();
        }
        if (!lines.isEmpty()) {
            var door = lines.getFirst().holder().door().label();
            return new PodAsk(
                    lines.stream().map(PodAsk::slice).toList(),
                    Optional.of(lines.stream().map(PodAsk::number).toList()),
                    Optional.of("which GPU it gets is for the %s to say".formatted(door)));
        }
        int gpus = CountedPods.gpus(pod);
        return gpus == 0
                ? NOTHING
                : new PodAsk(List.of(new Slice((long) gpus * Slice.WHOLE, 0)), Optional.empty(), Optional.empty());
    }

    /** A pod of the extender, if it is one. */
    private static Optional<PodAsk> shared(Pod pod) {
        GpuPod read;
        try {
            read = PodReader.read(pod);
        } catch (MalformedRequestException unreadable) {
            return Optional.of(new PodAsk(List.of(), Optional.of(List.of()), Optional.of(unreadable.problem())));
        }
        if (!read.needsGpu()) {
            return Optional.empty();
        }
        var slices = new ArrayList<Slice>();
        var devices = new ArrayList<List<Integer>>();
        var stays = Optional.<String>empty();
        for (var given : Assignment.given(read)) {
            if (given.preparing()) {
                stays = Optional.of("a container that prepares it asks for GPUs");
                continue;
            }
            slices.add(given.asked().slice());
            given.devices().ifPresent(devices::add);
        }
        boolean known = devices.size() == slices.size();
        return Optional.of(new PodAsk(slices, known ? Optional.of(devices) : Optional.empty(), stays));
    }

    /** What a line of the ledger takes; who measures in other amounts than cores has the whole device. */
    static Slice slice(Entry entry) {
        return switch (entry.share()) {
            case Share.Whole _ -> new Slice(Slice.WHOLE, 0);
            case Share.Part(var amounts) ->
                amounts.containsKey(Pack.CORES)
                        ? new Slice(
                                amount(Objects.requireNonNull(amounts.get(Pack.CORES))),
                                amount(amounts.getOrDefault(Pack.MEMORY, Quantity.of(0))))
                        : new Slice(Slice.WHOLE, 0);
        };
    }

    static List<Integer> number(Entry entry) {
        return List.of(Integer.parseInt(entry.device().value()));
    }

    private static long amount(Quantity quantity) {
        return Math.max(0, quantity.value().longValue());
    }
}
