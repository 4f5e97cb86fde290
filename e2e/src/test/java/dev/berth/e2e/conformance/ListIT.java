package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Lists: order, selectors, pages. */
@OnBothServers
class ListIT {
    private static void threeConfigMaps(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: b, labels: {color: blue, size: s}}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a, labels: {color: red}}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: c, labels: {color: blue, size: l}}}");
    }

    @Story
    void anEmptyListHasItems(Dialogue server) {
        server.get(CONFIG_MAPS);
    }

    @Story
    void aListIsSortedByName(Dialogue server) {
        threeConfigMaps(server);
        server.get(CONFIG_MAPS);
    }

    @Story
    void aListOverAllNamespacesIsFilteredByOne(Dialogue server) {
        threeConfigMaps(server);
        server.get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}");
    }

    @Story
    void labelsSelectByEquality(Dialogue server) {
        threeConfigMaps(server);
        server.get(CONFIG_MAPS + "?labelSelector=color%3Dblue");
        server.get(CONFIG_MAPS + "?labelSelector=color%3D%3Dred");
        server.get(CONFIG_MAPS + "?labelSelector=color!%3Dblue");
    }

    @Story
    void labelsSelectBySets(Dialogue server) {
        threeConfigMaps(server);
        server.get(CONFIG_MAPS + "?labelSelector=size+in+(s,m)");
        server.get(CONFIG_MAPS + "?labelSelector=size+notin+(s)");
        server.get(CONFIG_MAPS + "?labelSelector=size");
        server.get(CONFIG_MAPS + "?labelSelector=!size,color%3Dred");
    }

    @Story
    void labelsSelectByOrder(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a, labels: {n: \"5\"}}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: b, labels: {n: \"15\"}}}");
        server.get(CONFIG_MAPS + "?labelSelector=n%3E7");
        server.get(CONFIG_MAPS + "?labelSelector=n%3C7");
    }

    @Story
    void aSelectorThatCannotBeReadIsRefused(Dialogue server) {
        server.get(CONFIG_MAPS + "?labelSelector=a+b+c");
        server.get(CONFIG_MAPS + "?labelSelector=color+in+blue");
        server.get(CONFIG_MAPS + "?labelSelector=-bad-%3Dx");
    }

    @Story
    void fieldsSelectByName(Dialogue server) {
        threeConfigMaps(server);
        server.get(CONFIG_MAPS + "?fieldSelector=metadata.name%3Db");
        server.get(CONFIG_MAPS + "?fieldSelector=metadata.name!%3Db");
    }

    @Story
    void podsAreSelectedByNodeAndPhase(Dialogue server) {
        server.quietly("POST", PODS, "{metadata: {name: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
        server.quietly("POST", PODS, "{metadata: {name: b}, spec: {containers: [{name: c, image: i}]}}");
        server.get(PODS + "?fieldSelector=spec.nodeName%3Dn1");
        server.get(PODS + "?fieldSelector=spec.nodeName%3D,status.phase%3DPending");
        server.get(PODS + "?fieldSelector=spec.schedulerName%3Ddefault-scheduler,spec.restartPolicy%3DNever");
    }

    @Story
    void anUnknownFieldIsNotSelectable(Dialogue server) {
        server.get(CONFIG_MAPS + "?fieldSelector=data.color%3Dblue");
        server.get(PODS + "?fieldSelector=spec.colour%3Dblue");
        server.get(NODES + "?fieldSelector=status.phase%3Dx");
        server.get(CONFIG_MAPS + "?fieldSelector=nonsense");
    }

    @Story
    void namespacesAreSelectedByPhase(Dialogue server) {
        server.get(NAMESPACES + "?fieldSelector=metadata.name%3D{ns},status.phase%3DActive");
    }

    @Story
    void aListComesInPages(Dialogue server) {
        threeConfigMaps(server);
        var first = server.get(CONFIG_MAPS + "?limit=2");
        server.hide(first.at("/metadata/continue"), "(continue)");
        server.get(CONFIG_MAPS + "?limit=2&continue=" + first.at("/metadata/continue"));
    }

    @Story
    void aPageThatHoldsAllHasNoContinuation(Dialogue server) {
        threeConfigMaps(server);
        server.get(CONFIG_MAPS + "?limit=3");
    }

    @Story
    void pagesShowTheStateOfTheFirstOne(Dialogue server) {
        threeConfigMaps(server);
        var first = server.get(CONFIG_MAPS + "?limit=1");
        server.quietly("DELETE", CONFIG_MAPS + "/b", "");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: bb}}");
        server.hide(first.at("/metadata/continue"), "(continue)");
        server.get(CONFIG_MAPS + "?limit=5&continue=" + first.at("/metadata/continue"));
    }

    @Story
    void pagesWithASelectorDoNotCountTheRest(Dialogue server) {
        threeConfigMaps(server);
        var first = server.get(CONFIG_MAPS + "?limit=1&labelSelector=color%3Dblue");
        server.hide(first.at("/metadata/continue"), "(continue)");
        server.get(CONFIG_MAPS + "?limit=1&labelSelector=color%3Dblue&continue=" + first.at("/metadata/continue"));
    }

    @Story
    void aBrokenContinuationIsRefused(Dialogue server) {
        server.get(CONFIG_MAPS + "?limit=-1");
        server.get(CONFIG_MAPS + "?limit=many");
        server.leaveOut("/message", "it ends in the words of Go's JSON parser");
        server.get(CONFIG_MAPS + "?limit=1&continue=nonsense");
    }

    @Story
    void aListAtAnExactVersionShowsThePast(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.quietly("DELETE", CONFIG_MAPS + "/a", "");
        server.hide(made.resourceVersion(), "(its version)");
        server.get(CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + made.resourceVersion());
        server.get(CONFIG_MAPS);
    }

    @Story
    void aListNotOlderThanAVersionHasIt(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.hide(made.resourceVersion(), "(its version)");
        server.get(CONFIG_MAPS + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + made.resourceVersion());
        server.get(CONFIG_MAPS + "?resourceVersion=0");
    }

    @Story
    void aVersionOfTheFutureIsRefused(Dialogue server) {
        // When to come again is told by a cache that the harness switches off, so that old versions can expire.
        var refused = server.quietly("GET", CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=99999999", "");
        server.note("code", refused.code());
        server.note("reason", refused.at("/reason"));
        server.note("cause", refused.at("/details/causes/0/reason"));
    }

    @Story
    void contradictoryVersionOptionsAreRefused(Dialogue server) {
        server.get(CONFIG_MAPS + "?resourceVersionMatch=Exact");
        server.get(CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=0");
        server.get(CONFIG_MAPS + "?resourceVersionMatch=Nearly&resourceVersion=5");
        server.get(CONFIG_MAPS + "?resourceVersion=old");
        server.get(CONFIG_MAPS + "?sendInitialEvents=true");
    }
}
