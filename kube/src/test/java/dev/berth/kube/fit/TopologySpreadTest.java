package dev.berth.kube.fit;

import static dev.berth.kube.fit.Examples.fit;
import static dev.berth.kube.fit.Examples.node;
import static dev.berth.kube.fit.Examples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TopologySpreadTest {
    private static final String EVENLY =
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}%s}]";

    private final NodeRoom first = node("a1", "zone: a", "");
    private final NodeRoom second = node("b1", "zone: b", "");

    private static PodNeeds web(String name) {
        return pod(name, "default", "app: web", EVENLY.formatted(""));
    }

    @Test
    void aPodGoesWhereItsKindIsRarer() {
        var busy = first.with(web("w1"));
        var fit = fit(web("w2"), busy, second);

        assertThat(fit.against(busy))
                .extracting(Unfit::words)
                .containsExactly(TopologySpread.UNEVEN + " (zone=a has 1, the fewest are 0, maxSkew is 1)");
        assertThat(fit.fits(second)).isTrue();
    }

    @Test
    void aNodeWithoutTheLabelIsNoPlace() {
        var bare = node("c1");

        assertThat(fit(web("w"), first, bare).against(bare))
                .extracting(Unfit::sentence)
                .containsExactly(TopologySpread.NO_LABEL);
    }

    @Test
    void nodesThePodCannotUseDoNotCountUnlessToldOtherwise() {
        var busy = first.with(web("w1"));
        var pinned = "nodeSelector: {zone: a}, " + EVENLY;

        assertThat(fit(pod("w2", "default", "app: web", pinned.formatted("")), busy, second)
                        .fits(busy))
                .isTrue();
        assertThat(fit(pod("w2", "default", "app: web", pinned.formatted(", nodeAffinityPolicy: Ignore")), busy, second)
                        .fits(busy))
                .isFalse();
    }

    @Test
    void tooFewDomainsCountAsEmptyOnes() {
        var busy = first.with(web("w1"));
        var alsoBusy = second.with(web("w2"));

        assertThat(fit(pod("w3", "default", "app: web", EVENLY.formatted(", minDomains: 3")), busy, alsoBusy)
                        .fits(busy))
                .isFalse();
        assertThat(fit(web("w3"), busy, alsoBusy).fits(busy)).isTrue();
    }

    @Test
    void aConstraintThatOnlyPrefersForbidsNothing() {
        var busy = first.with(web("w1"));
        var relaxed = EVENLY.formatted("").replace("DoNotSchedule", "ScheduleAnyway");

        assertThat(fit(pod("w2", "default", "app: web", relaxed), busy, second).fits(busy))
                .isTrue();
    }
}
