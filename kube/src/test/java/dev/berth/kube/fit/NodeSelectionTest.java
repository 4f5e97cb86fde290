package dev.berth.kube.fit;

import static dev.berth.kube.fit.Examples.node;
import static dev.berth.kube.fit.Examples.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NodeSelectionTest {
    private static final NodeRoom NODE = node("n1", "zone: a, gpus: \"8\"", "");

    private static boolean selects(String terms) {
        return NodeSelection.check(
                        pod(
                                "p",
                                "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [%s]}}}"
                                        .formatted(terms)),
                        NODE)
                .isEmpty();
    }

    private static boolean matches(String expression) {
        return selects("{matchExpressions: [{%s}]}".formatted(expression));
    }

    @Test
    void everyLabelOfTheSelectorMustBeThere() {
        assertThat(NodeSelection.check(pod("p", "nodeSelector: {zone: a}"), NODE))
                .isEmpty();
        assertThat(NodeSelection.check(pod("p", "nodeSelector: {zone: a, disk: ssd}"), NODE))
                .map(Unfit::words)
                .contains("node(s) didn't match Pod's node affinity/selector (wants disk=ssd, not set)");
    }

    @Test
    void theOperatorsDoWhatKubernetesSays() {
        assertThat(matches("key: zone, operator: In, values: [a, b]")).isTrue();
        assertThat(matches("key: zone, operator: In, values: [b]")).isFalse();
        assertThat(matches("key: zone, operator: NotIn, values: [b]")).isTrue();
        assertThat(matches("key: nothing, operator: NotIn, values: [b]")).isTrue();
        assertThat(matches("key: zone, operator: Exists")).isTrue();
        assertThat(matches("key: zone, operator: DoesNotExist")).isFalse();
        assertThat(matches("key: nothing, operator: DoesNotExist")).isTrue();
        assertThat(matches("key: gpus, operator: Gt, values: [\"4\"]")).isTrue();
        assertThat(matches("key: gpus, operator: Gt, values: [\"8\"]")).isFalse();
        assertThat(matches("key: gpus, operator: Lt, values: [\"9\"]")).isTrue();
        assertThat(matches("key: zone, operator: Lt, values: [\"9\"]")).isFalse();
    }

    @Test
    void theNodesNameIsAField() {
        assertThat(selects("{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}"))
                .isTrue();
        assertThat(selects("{matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}]}"))
                .isFalse();
    }

    @Test
    void oneTermIsEnoughAndAllOfItMustHold() {
        assertThat(
                        selects(
                                "{matchExpressions: [{key: zone, operator: In, values: [b]}]}, {matchExpressions: [{key: zone, operator: Exists}]}"))
                .isTrue();
        assertThat(selects(
                        "{matchExpressions: [{key: zone, operator: Exists}, {key: zone, operator: In, values: [b]}]}"))
                .isFalse();
    }

    @Test
    void anEmptyTermSelectsNothing() {
        assertThat(selects("{}")).isFalse();
    }

    @Test
    void anUnknownOperatorIsNamed() {
        assertThatThrownBy(() -> matches("key: zone, operator: Near"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Near");
    }
}
