package dev.berth.kube.fit;

import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Would the pod make the spread of its kind more uneven than it allows? Counted once, then asked for each node. */
public final class TopologySpread {
    static final String CODE = "topology-spread";
    static final String UNEVEN = "node(s) didn't match pod topology spread constraints";
    static final String NO_LABEL = UNEVEN + " (missing required label)";

    /** A constraint that must hold ({@code DoNotSchedule}). */
    public record Rule(
            String topologyKey,
            int maxSkew,
            int minDomains,
            PodSelection pods,
            boolean honorsAffinity,
            boolean honorsTaints) {}

    private final PodNeeds pod;
    private final List<Map<String, Integer>> counts = new ArrayList<>();
    private final List<Integer> fewest = new ArrayList<>();

    private TopologySpread(PodNeeds pod) {
        this.pod = pod;
        pod.spread().forEach(_ -> counts.add(new HashMap<>()));
    }

    static List<Rule> rules(@Nullable List<TopologySpreadConstraint> written, Map<String, String> ownLabels) {
        return Objects.requireNonNullElse(written, List.<TopologySpreadConstraint>of()).stream()
                .filter(each -> "DoNotSchedule".equals(each.getWhenUnsatisfiable()))
                .map(each -> new Rule(
                        each.getTopologyKey(),
                        Objects.requireNonNullElse(each.getMaxSkew(), 1),
                        Objects.requireNonNullElse(each.getMinDomains(), 1),
                        PodSelection.of(each.getLabelSelector())
                                .and(each.getMatchLabelKeys(), LabelRule.Operator.IN, ownLabels),
                        !"Ignore".equals(each.getNodeAffinityPolicy()),
                        "Honor".equals(each.getNodeTaintsPolicy())))
                .toList();
    }

    public static TopologySpread of(PodNeeds pod, Iterable<NodeRoom> nodes) {
        var spread = new TopologySpread(pod);
        if (!pod.spread().isEmpty()) {
            nodes.forEach(spread::count);
            spread.findFewest();
        }
        return spread;
    }

    private void count(NodeRoom node) {
        // A node without one of the labels is in no domain, and what runs there does not count.
        if (!pod.spread().stream().allMatch(rule -> node.labels().containsKey(rule.topologyKey()))) {
            return;
        }
        for (int i = 0; i < counts.size(); i++) {
            var rule = pod.spread().get(i);
            boolean counts = (!rule.honorsAffinity() || pod.selection().matches(node))
                    && (!rule.honorsTaints() || Taints.untolerated(pod, node).isEmpty());
            var domain = node.labels().get(rule.topologyKey());
            if (counts && domain != null) {
                this.counts.get(i).merge(domain, matching(rule, node), Integer::sum);
            }
        }
    }

    private int matching(Rule rule, NodeRoom node) {
        if (rule.pods().everything()) {
            return 0;
        }
        return Math.toIntExact(node.pods().values().stream()
                .filter(other -> !other.terminating() && other.namespace().equals(pod.namespace()))
                .filter(other -> rule.pods().matches(other.labels()))
                .count());
    }

    public Optional<Unfit> check(NodeRoom node) {
        for (int i = 0; i < counts.size(); i++) {
            var rule = pod.spread().get(i);
            var domain = node.labels().get(rule.topologyKey());
            if (domain == null) {
                return Optional.of(new Unfit(CODE, NO_LABEL, rule.topologyKey()));
            }
            int here = counts.get(i).getOrDefault(domain, 0);
            int self = rule.pods().matches(pod.labels()) ? 1 : 0;
            int fewest = this.fewest.get(i);
            if (here + self - fewest > rule.maxSkew()) {
                return Optional.of(new Unfit(
                        CODE,
                        UNEVEN,
                        "%s=%s has %d, the fewest are %d, maxSkew is %d"
                                .formatted(rule.topologyKey(), domain, here, fewest, rule.maxSkew())));
            }
        }
        return Optional.empty();
    }

    private void findFewest() {
        for (int i = 0; i < counts.size(); i++) {
            var domains = counts.get(i);
            boolean enough = domains.size() >= pod.spread().get(i).minDomains();
            fewest.add(
                    enough
                            ? domains.values().stream()
                                    .mapToInt(Integer::intValue)
                                    .min()
                                    .orElse(0)
                            : 0);
        }
    }
}
