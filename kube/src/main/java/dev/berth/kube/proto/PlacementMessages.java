package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;

/** Where a pod may be, and whom it wants near. */
final class PlacementMessages {
    private PlacementMessages() {}

    static void affinity(Affinity affinity, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> affinity.setNodeAffinity(in.message(new NodeAffinity(), PlacementMessages::nodes));
            case 2 -> affinity.setPodAffinity(in.message(new PodAffinity(), PlacementMessages::pods));
            case 3 -> affinity.setPodAntiAffinity(in.message(new PodAntiAffinity(), PlacementMessages::antiPods));
            default -> in.skip();
        }
    }

    static void nodes(NodeAffinity affinity, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 ->
                affinity.setRequiredDuringSchedulingIgnoredDuringExecution(
                        in.message(new NodeSelector(), PlacementMessages::selector));
            case 2 ->
                affinity.getPreferredDuringSchedulingIgnoredDuringExecution()
                        .add(in.message(new PreferredSchedulingTerm(), PlacementMessages::preferred));
            default -> in.skip();
        }
    }

    static void selector(NodeSelector selector, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> selector.getNodeSelectorTerms().add(in.message(new NodeSelectorTerm(), PlacementMessages::term));
            default -> in.skip();
        }
    }

    static void term(NodeSelectorTerm term, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 ->
                term.getMatchExpressions()
                        .add(in.message(new NodeSelectorRequirement(), PlacementMessages::requirement));
            case 2 ->
                term.getMatchFields().add(in.message(new NodeSelectorRequirement(), PlacementMessages::requirement));
            default -> in.skip();
        }
    }

    static void requirement(NodeSelectorRequirement requirement, int number, Fields in)
            throws MalformedMessageException {
        switch (number) {
            case 1 -> requirement.setKey(in.text());
            case 2 -> requirement.setOperator(in.text());
            case 3 -> requirement.getValues().add(in.text());
            default -> in.skip();
        }
    }

    static void preferred(PreferredSchedulingTerm preferred, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> preferred.setWeight(in.integer());
            case 2 -> preferred.setPreference(in.message(new NodeSelectorTerm(), PlacementMessages::term));
            default -> in.skip();
        }
    }

    static void pods(PodAffinity affinity, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 ->
                affinity.getRequiredDuringSchedulingIgnoredDuringExecution()
                        .add(in.message(new PodAffinityTerm(), PlacementMessages::podTerm));
            case 2 ->
                affinity.getPreferredDuringSchedulingIgnoredDuringExecution()
                        .add(in.message(new WeightedPodAffinityTerm(), PlacementMessages::weighted));
            default -> in.skip();
        }
    }

    static void antiPods(PodAntiAffinity affinity, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 ->
                affinity.getRequiredDuringSchedulingIgnoredDuringExecution()
                        .add(in.message(new PodAffinityTerm(), PlacementMessages::podTerm));
            case 2 ->
                affinity.getPreferredDuringSchedulingIgnoredDuringExecution()
                        .add(in.message(new WeightedPodAffinityTerm(), PlacementMessages::weighted));
            default -> in.skip();
        }
    }

    static void podTerm(PodAffinityTerm term, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> term.setLabelSelector(in.message(new LabelSelector(), MetaMessages::selector));
            case 2 -> term.getNamespaces().add(in.text());
            case 3 -> term.setTopologyKey(in.text());
            case 4 -> term.setNamespaceSelector(in.message(new LabelSelector(), MetaMessages::selector));
            case 5 -> term.getMatchLabelKeys().add(in.text());
            case 6 -> term.getMismatchLabelKeys().add(in.text());
            default -> in.skip();
        }
    }

    static void weighted(WeightedPodAffinityTerm weighted, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> weighted.setWeight(in.integer());
            case 2 -> weighted.setPodAffinityTerm(in.message(new PodAffinityTerm(), PlacementMessages::podTerm));
            default -> in.skip();
        }
    }

    static void toleration(Toleration toleration, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> toleration.setKey(in.someText());
            case 2 -> toleration.setOperator(in.someText());
            case 3 -> toleration.setValue(in.someText());
            case 4 -> toleration.setEffect(in.someText());
            case 5 -> toleration.setTolerationSeconds(in.number());
            default -> in.skip();
        }
    }

    static void spread(TopologySpreadConstraint constraint, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> constraint.setMaxSkew(in.integer());
            case 2 -> constraint.setTopologyKey(in.text());
            case 3 -> constraint.setWhenUnsatisfiable(in.text());
            case 4 -> constraint.setLabelSelector(in.message(new LabelSelector(), MetaMessages::selector));
            case 5 -> constraint.setMinDomains(in.integer());
            case 6 -> constraint.setNodeAffinityPolicy(in.text());
            case 7 -> constraint.setNodeTaintsPolicy(in.text());
            case 8 -> constraint.getMatchLabelKeys().add(in.text());
            default -> in.skip();
        }
    }
}
