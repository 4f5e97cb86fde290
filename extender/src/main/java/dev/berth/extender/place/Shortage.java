package dev.berth.extender.place;

import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.explain.Objection;
import dev.berth.core.explain.Objections;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.Slice;
import dev.berth.extender.board.Board;
import dev.berth.extender.quota.QuotaRules;
import dev.berth.extender.wire.GpuPod;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** What a node is short of for one pod, in numbers: the document's own words for it have none. */
record Shortage(GpuPod pod, Board board, QuotaRules rules, Ledger ledger) {
    private static final int MOST_HOLDERS = 4;

    /** @param reason the chooser's */
    Objection on(NodeName node, String reason) {
        var view = board.view(node.value(), pod.id());
        if (view.isEmpty() || view.get().gpus().devices() == 0) {
            return Objection.unsuited("no GPU", "it has no GPU that is given out in parts", "");
        }
        if (Reasons.aboutQuota(reason)) {
            return quota(view.get());
        }
        return room(node, view.get().gpus());
    }

    private Objection quota(Board.View view) {
        var model = view.model().isEmpty() ? "no GPU model" : view.model();
        var rule = rules.of(pod.namespace());
        long limit = rule.map(each -> each.limit(view.model())).orElse(0L);
        long used = board.used(pod.namespace(), view.model(), Set.of(pod.id()));
        long wanted = pod.demand().cores();
        if (used + wanted <= limit) {
            return new Objection(
                    Objection.Kind.QUOTA,
                    "outside the pools of namespace " + pod.namespace(),
                    "pool %s is none of %s"
                            .formatted(
                                    view.pool().isEmpty() ? "(none)" : view.pool(),
                                    rule.map(QuotaRules.Rule::pools).orElse(List.of())),
                    0,
                    "add the pool to the quota of namespace " + pod.namespace());
        }
        long gpus = Math.ceilDiv(used + wanted - limit, Slice.WHOLE);
        return new Objection(
                Objection.Kind.QUOTA,
                "quota of namespace %s for %s used up".formatted(pod.namespace(), model),
                "%s wants %d cores of %s; %d of %d are used".formatted(pod.namespace(), wanted, model, used, limit),
                0,
                "raise the quota of namespace %s for %s by %d to %d GPUs"
                        .formatted(pod.namespace(), model, gpus, limit / Slice.WHOLE + gpus));
    }

    private Objection room(NodeName name, GpuNode node) {
        long whole = pod.demand()
                .slices()
                .filter(Slice::exclusive)
                .mapToLong(Slice::gpus)
                .sum();
        long shared = pod.demand().slices().filter(slice -> !slice.exclusive()).count();
        if (whole > node.devices()) {
            return Objection.unsuited(
                    "too few GPUs",
                    "wants %s, it has %d in all".formatted(gpus(whole), node.devices()),
                    "ask for at most " + gpus(node.devices()));
        }
        if (whole > node.untouched()) {
            int missing = Math.toIntExact(whole - node.untouched());
            return Objection.taken(
                    "taken",
                    "wants %s, %d of %d untouched".formatted(gpus(whole), node.untouched(), node.devices()),
                    missing,
                    Objections.free(name, missing, holders(name)));
        }
        var hardest = pod.demand()
                .slices()
                .filter(slice -> !slice.exclusive())
                .max(Comparator.comparingLong(Slice::cores).thenComparingLong(Slice::memory))
                .orElse(new Slice(0, 0));
        if (hardest.memory() > node.capacity().deviceMemory()) {
            return Objection.unsuited(
                    "GPUs with too little memory",
                    "wants %d of memory on one GPU, each has %d"
                            .formatted(hardest.memory(), node.capacity().deviceMemory()),
                    "ask for at most %d".formatted(node.capacity().deviceMemory()));
        }
        int emptiest = 0;
        for (int device = 1; device < node.devices(); device++) {
            if (node.freeCores(device) > node.freeCores(emptiest)
                    || (node.freeCores(device) == node.freeCores(emptiest)
                            && node.freeMemory(device) > node.freeMemory(emptiest))) {
                emptiest = device;
            }
        }
        return Objection.taken(
                "taken",
                "wants %d cores and %d of memory on one GPU%s; the emptiest, GPU %d, has %d and %d left"
                        .formatted(
                                hardest.cores(),
                                hardest.memory(),
                                shared > 1 ? ", and %d containers want parts".formatted(shared) : "",
                                emptiest,
                                node.freeCores(emptiest),
                                node.freeMemory(emptiest)),
                1,
                "free %d cores and %d of memory of one GPU on %s%s"
                        .formatted(
                                Math.max(0, hardest.cores() - node.freeCores(emptiest)),
                                Math.max(0, hardest.memory() - node.freeMemory(emptiest)),
                                name,
                                who(name, emptiest)));
    }

    private static String gpus(long count) {
        return count == 1 ? "1 whole GPU" : count + " whole GPUs";
    }

    private List<Holder> holders(NodeName node) {
        return ledger.of(node)
                .entries()
                .map(Entry::holder)
                .distinct()
                .limit(MOST_HOLDERS)
                .toList();
    }

    private String who(NodeName node, int device) {
        var names = ledger.of(node).of(dev.berth.core.DeviceId.ofIndex(device)).stream()
                .map(entry -> entry.holder().toString())
                .distinct()
                .limit(MOST_HOLDERS)
                .toList();
        return names.isEmpty() ? "" : ": wait for " + String.join(", ", names);
    }
}
