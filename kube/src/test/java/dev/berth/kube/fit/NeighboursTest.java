package dev.berth.kube.fit;

import static dev.berth.kube.fit.Examples.fit;
import static dev.berth.kube.fit.Examples.node;
import static dev.berth.kube.fit.Examples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NeighboursTest {
    private static final String NEAR_WEB =
            "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}";
    private static final String FAR_FROM_WEB =
            "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}";

    private final NodeRoom first = node("a1", "zone: a", "");
    private final NodeRoom second = node("a2", "zone: a", "");
    private final NodeRoom third = node("b1", "zone: b", "");
    private final NodeRoom nowhere = node("c1");

    private static PodNeeds web(String namespace) {
        return pod("web", namespace, "app: web", "");
    }

    @Test
    void aPodGoesWhereItsFriendsAre() {
        var fit = fit(pod("p", NEAR_WEB), first.with(web("default")), second, third, nowhere);

        assertThat(fit.fits(second)).isTrue();
        assertThat(fit.against(third)).extracting(Unfit::sentence).containsExactly(Neighbours.AFFINITY);
        assertThat(fit.fits(nowhere)).isFalse();
    }

    @Test
    void friendsInAnotherNamespaceAreNotMeant() {
        assertThat(fit(pod("p", NEAR_WEB), first.with(web("other")), second).fits(second))
                .isFalse();
    }

    @Test
    void namespacesAreSelectedByTheirLabels() {
        var pod = pod(
                "p", NEAR_WEB.replace("topologyKey", "namespaceSelector: {matchLabels: {team: blue}}, topologyKey"));
        var fit = Fit.of(
                pod,
                List.of(first.with(web("blue")), second, third),
                name -> name.equals("blue") ? Map.of("team", "blue") : Map.of());

        assertThat(fit.fits(second)).isTrue();
        assertThat(fit.fits(third)).isFalse();
    }

    @Test
    void theFirstOfASeriesMayStartAnywhere() {
        assertThat(fit(pod("p", "default", "app: web", NEAR_WEB), first, third).fits(third))
                .isTrue();
        assertThat(fit(pod("p", "default", "app: db", NEAR_WEB), first, third).fits(third))
                .isFalse();
    }

    @Test
    void aPodKeepsAwayFromThoseItShuns() {
        var fit = fit(pod("p", FAR_FROM_WEB), first.with(web("default")), second, third, nowhere);

        assertThat(fit.against(second))
                .extracting(Unfit::words)
                .containsExactly(Neighbours.ANTI_AFFINITY + " (1 in zone=a)");
        assertThat(fit.fits(third)).isTrue();
        assertThat(fit.fits(nowhere)).isTrue();
    }

    @Test
    void aPodKeepsAwayFromThoseWhoShunIt() {
        var fit = fit(web("default"), first.with(pod("hermit", FAR_FROM_WEB)), second, third);

        assertThat(fit.against(second))
                .extracting(Unfit::words)
                .containsExactly(Neighbours.OTHERS_ANTI_AFFINITY + " (default/hermit)");
        assertThat(fit.fits(third)).isTrue();
    }

    @Test
    void whoShunsAndLeftIsForgotten() {
        var left = first.with(pod("hermit", FAR_FROM_WEB)).without("uid-hermit");

        assertThat(fit(web("default"), left, second).fits(second)).isTrue();
    }
}
