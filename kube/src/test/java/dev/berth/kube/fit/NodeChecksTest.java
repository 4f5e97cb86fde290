package dev.berth.kube.fit;

import static dev.berth.kube.fit.Examples.node;
import static dev.berth.kube.fit.Examples.nodeObject;
import static dev.berth.kube.fit.Examples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeChecksTest {
    private static final PodNeeds PLAIN = pod("p", "");

    private static NodeRoom nodeWith(String conditions) {
        return NodeRoom.empty(nodeObject("n", "", "", conditions));
    }

    @Test
    void aNodeThatIsNotReadyTakesNothing() {
        assertThat(Readiness.check(PLAIN, nodeWith("{type: Ready, status: \"False\"}")))
                .map(Unfit::words)
                .contains("node(s) were not ready (Ready is False)");
        assertThat(Readiness.check(PLAIN, nodeWith("{type: Ready, status: Unknown}")))
                .map(Unfit::detail)
                .contains("Ready is Unknown");
        assertThat(Readiness.check(PLAIN, nodeWith(""))).map(Unfit::detail).contains("no Ready condition");
        assertThat(Readiness.check(PLAIN, node("n"))).isEmpty();
    }

    @Test
    void aPodThatToleratesTheTaintOfANodeThatIsNotReadyGoesThere() {
        var daemon = pod("d", "tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists}]");

        assertThat(Readiness.check(daemon, nodeWith("{type: Ready, status: \"False\"}")))
                .isEmpty();
        assertThat(Readiness.check(daemon, nodeWith("{type: Ready, status: Unknown}")))
                .isPresent();
    }

    @Test
    void aCordonedNodeTakesOnlyPodsThatTolerateIt() {
        var cordoned = node("n", "", "unschedulable: true");

        assertThat(Cordon.check(PLAIN, cordoned)).map(Unfit::sentence).contains("node(s) were unschedulable");
        assertThat(Cordon.check(pod("p", "tolerations: [{operator: Exists}]"), cordoned))
                .isEmpty();
    }

    @Test
    void aPodThatNamesItsNodeGoesNowhereElse() {
        assertThat(RequestedNode.check(pod("p", "nodeName: m"), node("n")))
                .map(Unfit::words)
                .contains("node(s) didn't match the requested node name (wants m)");
        assertThat(RequestedNode.check(pod("p", "nodeName: n"), node("n"))).isEmpty();
    }

    @Test
    void anUntoleratedTaintIsNamed() {
        var tainted = node("n", "", "taints: [{key: gpu, value: a100, effect: NoSchedule}]");

        assertThat(Taints.check(PLAIN, tainted))
                .map(Unfit::words)
                .contains("node(s) had untolerated taint(s) (gpu=a100:NoSchedule)");
    }

    @Test
    void aTaintIsToleratedByKeyValueAndEffect() {
        var tainted = node("n", "", "taints: [{key: gpu, value: a100, effect: NoExecute}]");

        assertThat(tolerating(tainted, "{key: gpu, value: a100}")).isTrue();
        assertThat(tolerating(tainted, "{key: gpu, operator: Exists, effect: NoExecute}"))
                .isTrue();
        assertThat(tolerating(tainted, "{operator: Exists}")).isTrue();
        assertThat(tolerating(tainted, "{key: gpu, value: h100}")).isFalse();
        assertThat(tolerating(tainted, "{key: gpu, operator: Exists, effect: NoSchedule}"))
                .isFalse();
        assertThat(tolerating(tainted, "{key: other, operator: Exists}")).isFalse();
    }

    private static boolean tolerating(NodeRoom node, String toleration) {
        return Taints.check(pod("p", "tolerations: [%s]".formatted(toleration)), node)
                .isEmpty();
    }

    @Test
    void aTaintThatOnlyPrefersKeepsNobodyAway() {
        assertThat(Taints.check(PLAIN, node("n", "", "taints: [{key: gpu, effect: PreferNoSchedule}]")))
                .isEmpty();
    }

    @Test
    void aHostPortIsTakenOnce() {
        var web = "containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: 8080%s}]}]";
        var node = node("n").with(pod("there", web.formatted("")));

        assertThat(HostPort.check(pod("p", web.formatted("")), node))
                .map(Unfit::words)
                .contains(
                        "node(s) didn't have free ports for the requested pod ports (TCP 8080 is taken by default/there)");
        assertThat(HostPort.check(pod("p", web.formatted(", protocol: UDP")), node))
                .isEmpty();
        assertThat(HostPort.check(pod("p", web.formatted(", hostIP: 10.0.0.1")), node))
                .isPresent();
    }

    @Test
    void twoAddressesOfANodeHaveOnePortEach() {
        var web = "containers: [{name: c, image: i, ports: [{containerPort: 80, hostPort: 8080, hostIP: 10.0.0.%d}]}]";
        var node = node("n").with(pod("there", web.formatted(1)));

        assertThat(HostPort.check(pod("p", web.formatted(2)), node)).isEmpty();
        assertThat(HostPort.check(pod("p", web.formatted(1)), node)).isPresent();
    }
}
