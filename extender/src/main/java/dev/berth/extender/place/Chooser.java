package dev.berth.extender.place;

import dev.berth.core.Entry;
import dev.berth.core.policy.Policy.Rank;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.GpuNode;
import dev.berth.core.share.ShareDemand;
import dev.berth.core.share.SharePlacement;
import dev.berth.core.share.SharePolicy;
import dev.berth.core.share.ShareSearch;
import dev.berth.core.share.Slice;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.GpuEntries;
import dev.berth.extender.quota.QuotaRules;
import dev.berth.extender.wire.Candidate;
import dev.berth.extender.wire.FilterReply.Failed;
import dev.berth.extender.wire.GpuPod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Picks the best of the nodes asked about, and says of each other one why not. */
final class Chooser {
    private final Board board;
    private final Supplier<QuotaRules> quotas;
    private final SharePolicy policy;

    Chooser(Board board, Supplier<QuotaRules> quotas, SharePolicy policy) {
        this.board = board;
        this.quotas = quotas;
        this.policy = policy;
    }

    /** The best node, if there is one, with its capacity, and why the others are not it. */
    record Choice(Optional<Candidate> node, GpuCapacity capacity, String model, List<Failed> others) {}

    /**
     * Of what more is known than the board shows.
     *
     * @param nodes why each of these is out
     * @param models why the namespace may not have any GPU of these
     */
    record RuledOut(Map<String, String> nodes, Map<String, String> models) {}

    /** Chooses; what is chosen counts as held from then on, until the board is told that it is settled. */
    Choice choose(GpuPod pod, List<Candidate> candidates, RuledOut ruledOut, Entry.State state) {
        return board.alone(() -> new Round(pod, candidates, ruledOut).run(state));
    }

    /** Whether the pod would fit on this node. */
    Optional<SharePlacement> place(GpuNode node, ShareDemand demand) {
        return ShareSearch.place(node, demand, policy);
    }

    /** Whether the namespace's quota lets the pod onto this node once these holders are gone. */
    boolean mayHave(GpuPod pod, String node, Set<String> gone) {
        var rule = quotas.get().of(pod.namespace());
        var view = board.view(node, pod.id());
        if (rule.isEmpty() || view.isEmpty()) {
            return true;
        }
        var model = view.get().model();
        long used = board.used(pod.namespace(), model, gone);
        return rule.get().takes(view.get().pool())
                && used + pod.demand().cores() <= rule.get().limit(model);
    }

    private final class Round {
        private final GpuPod pod;
        private final ShareDemand demand;
        private final long needed;
        private final List<Candidate> candidates;
        private final RuledOut ruledOut;
        private final Optional<QuotaRules.Rule> rule;
        private final Map<String, Optional<String>> quotaByModel = new HashMap<>();
        private final Rank[] ranks;
        private final boolean[] ranked;
        private final String[] reasons;
        private final boolean[] unresolvable;
        private final GpuCapacity[] capacities;
        private final String[] models;

        Round(GpuPod pod, List<Candidate> candidates, RuledOut ruledOut) {
            this.pod = pod;
            this.demand = pod.demand();
            this.needed = Stream.concat(demand.containers().stream(), demand.sidecars().stream())
                    .mapToLong(slice -> slice.exclusive() ? slice.gpus() * Slice.WHOLE : slice.cores())
                    .sum();
            this.candidates = candidates;
            this.ruledOut = ruledOut;
            this.rule = quotas.get().of(pod.namespace());
            this.ranks = new Rank[candidates.size()];
            Arrays.fill(ranks, Rank.EQUAL);
            this.ranked = new boolean[candidates.size()];
            this.reasons = new String[candidates.size()];
            Arrays.fill(reasons, "");
            this.unresolvable = new boolean[candidates.size()];
            this.capacities = new GpuCapacity[candidates.size()];
            Arrays.fill(capacities, GpuCapacity.NONE);
            this.models = new String[candidates.size()];
            Arrays.fill(models, "");
        }

        Choice run(Entry.State state) {
            int best = -1;
            Optional<SharePlacement> placement = Optional.empty();
            for (int place = 0; place < candidates.size(); place++) {
                var node = open(place);
                if (node.isEmpty()) {
                    continue;
                }
                if (policy.looksAhead()) {
                    var found = tried(node.get());
                    if (found.isPresent()) {
                        rank(place, policy.node(node.get(), found.get().after()));
                        if (best < 0 || before(place, best)) {
                            best = place;
                            placement = found;
                        }
                    }
                } else {
                    rank(place, policy.node(node.get(), node.get()));
                    if (best < 0 || before(place, best)) {
                        var found = tried(node.get());
                        if (found.isPresent()) {
                            best = place;
                            placement = found;
                        }
                    }
                }
            }
            if (best >= 0 && placement.isPresent()) {
                var held = placement.get().held();
                board.intend(candidates.get(best).name(), pod.id(), GpuEntries.of(pod, held, state));
            }
            return choice(best);
        }

        private void rank(int place, Rank rank) {
            ranks[place] = rank;
            ranked[place] = true;
        }

        /** The node at this place, unless something speaks against it before its devices are looked at. */
        private Optional<GpuNode> open(int place) {
            var candidate = candidates.get(place);
            var described = candidate.described();
            String model;
            String pool;
            GpuNode node;
            if (described.isPresent()) {
                model = described.get().model();
                pool = described.get().pool();
                node = board.gpus(candidate.name(), described.get().capacity(), pod.id());
            } else {
                var view = board.view(candidate.name(), pod.id());
                if (view.isEmpty()) {
                    return out(place, Reasons.NO_GPU, true);
                }
                model = view.get().model();
                pool = view.get().pool();
                node = view.get().gpus();
            }
            capacities[place] = node.capacity();
            models[place] = model;
            if (node.devices() == 0) {
                return out(place, Reasons.NO_GPU, true);
            }
            var over = quota(model, pool);
            if (over.isPresent()) {
                return out(place, over.get(), false);
            }
            var known = ruledOut.nodes().get(candidate.name());
            return known == null ? Optional.of(node) : out(place, known, false);
        }

        private Optional<GpuNode> out(int place, String reason, boolean forGood) {
            reasons[place] = reason;
            unresolvable[place] = forGood;
            return Optional.empty();
        }

        private Optional<String> quota(String model, String pool) {
            if (rule.isEmpty()) {
                return Optional.empty();
            }
            var over = quotaByModel.computeIfAbsent(model, this::overQuota);
            return over.isEmpty() && !rule.get().takes(pool) ? Optional.of(Reasons.outsidePool(pool)) : over;
        }

        private Optional<String> overQuota(String model) {
            var known = ruledOut.models().get(model);
            if (known != null) {
                return Optional.of(known);
            }
            long used = board.used(pod.namespace(), model, Set.of(pod.id()));
            long limit = rule.map(each -> each.limit(model)).orElse(Long.MAX_VALUE);
            return used + demand.cores() <= limit
                    ? Optional.empty()
                    : Optional.of(Reasons.overQuota(model, used, limit));
        }

        private Optional<SharePlacement> tried(GpuNode node) {
            return node.freeCores() < needed ? Optional.empty() : ShareSearch.place(node, demand, policy);
        }

        private boolean before(int place, int other) {
            int order = ranks[place].compareTo(ranks[other]);
            return order != 0
                    ? order < 0
                    : candidates
                                    .get(place)
                                    .name()
                                    .compareTo(candidates.get(other).name())
                            < 0;
        }

        private Choice choice(int best) {
            var noMatch = Reasons.noMatch(pod);
            var elsewhere = Reasons.elsewhere(pod);
            var others = new ArrayList<Failed>(candidates.size());
            for (int place = 0; place < candidates.size(); place++) {
                if (place != best) {
                    var reason = !reasons[place].isEmpty()
                            ? reasons[place]
                            : best >= 0 && ranked[place] && before(best, place) ? elsewhere : noMatch;
                    others.add(new Failed(candidates.get(place), reason, unresolvable[place]));
                }
            }
            return best < 0
                    ? new Choice(Optional.empty(), GpuCapacity.NONE, "", others)
                    : new Choice(Optional.of(candidates.get(best)), capacities[best], models[best], others);
        }
    }
}
