package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Watches. */
@OnBothServers
class WatchIT {
    @Story
    void aWatchShowsWhatIsThereAndWhatComes(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        var watch = server.watch(CONFIG_MAPS).next(1);
        server.post(CONFIG_MAPS, "{metadata: {name: b}}");
        watch.next(1);
        server.mergePatch(CONFIG_MAPS + "/b", "{data: {k: v}}");
        watch.next(1);
        server.delete(CONFIG_MAPS + "/b");
        watch.next(1);
    }

    @Story
    void aWatchGoesOnFromAVersion(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        var list = server.get(CONFIG_MAPS);
        server.hide("resourceVersion=" + list.resourceVersion(), "resourceVersion=(list)");
        server.post(CONFIG_MAPS, "{metadata: {name: b}}");
        server.delete(CONFIG_MAPS + "/a");
        server.watch(CONFIG_MAPS + "?resourceVersion=" + list.resourceVersion()).next(2);
    }

    @Story
    void aWatchFromZeroShowsAnyState(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.await(
                CONFIG_MAPS + "?resourceVersion=0", list -> list.path("items").size() == 1);
        server.watch(CONFIG_MAPS + "?resourceVersion=0").next(1);
        server.note("made", made.code());
    }

    @Story
    void aWatchEndsAfterItsTime(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.watch(CONFIG_MAPS + "?timeoutSeconds=1").toTheEnd();
    }

    @Story
    void anObjectThatLeavesTheSelectionIsDeletedForTheWatch(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}}");
        server.post(CONFIG_MAPS, "{metadata: {name: b}}");
        var watch = server.watch(CONFIG_MAPS + "?labelSelector=x%3Dy").next(1);
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {labels: {x: z}}}");
        watch.next(1);
        server.mergePatch(CONFIG_MAPS + "/b", "{metadata: {labels: {x: y}}}");
        watch.next(1);
        server.mergePatch(CONFIG_MAPS + "/b", "{data: {k: v}}");
        watch.next(1);
        server.delete(CONFIG_MAPS + "/a");
        server.delete(CONFIG_MAPS + "/b");
        watch.next(1);
    }

    @Story
    void podsAreWatchedByTheirNode(Dialogue server) {
        server.post(PODS, SMALL_POD);
        var watch = server.watch(PODS + "?fieldSelector=spec.nodeName%3Dwatched-node");
        server.post(
                PODS + "/small/binding",
                "{apiVersion: v1, kind: Binding, metadata: {name: small}, target: {kind: Node, name: watched-node}}");
        watch.next(1);
    }

    @Story
    void oneObjectIsWatchedByItsName(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.post(CONFIG_MAPS, "{metadata: {name: b}}");
        var watch =
                server.watch(CONFIG_MAPS + "?fieldSelector=metadata.name%3Db").next(1);
        server.delete(CONFIG_MAPS + "/a");
        server.delete(CONFIG_MAPS + "/b");
        watch.next(1);
    }

    @Story
    void initialEventsEndWithABookmark(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.post(CONFIG_MAPS, "{metadata: {name: b}}");
        var watch = server.watch(CONFIG_MAPS
                        + "?sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan")
                .next(3);
        server.post(CONFIG_MAPS, "{metadata: {name: c}}");
        watch.next(1);
    }

    @Story
    void initialEventsNeedBookmarksAndAMatch(Dialogue server) {
        server.get(CONFIG_MAPS + "?watch=true&sendInitialEvents=true");
        server.get(CONFIG_MAPS + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true");
        server.get(CONFIG_MAPS + "?watch=true&resourceVersionMatch=NotOlderThan");
        server.get(
                CONFIG_MAPS + "?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=Exact");
    }

    @Story
    void initialEventsMayBeLeftOut(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        var watch = server.watch(
                CONFIG_MAPS + "?sendInitialEvents=false&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan");
        server.post(CONFIG_MAPS, "{metadata: {name: b}}");
        watch.next(1);
    }

    @Story
    void aWatchOfAVersionThatIsNoNumberIsRefused(Dialogue server) {
        server.get(CONFIG_MAPS + "?watch=true&resourceVersion=yesterday");
        server.get(CONFIG_MAPS + "?watch=true&timeoutSeconds=soon");
    }

    @Story
    void theOldWayOfWatchingWorks(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.watch("/api/v1/watch/namespaces/{ns}/configmaps").next(1);
    }

    @Story
    void aWatchOfTablesBringsTables(Dialogue server) {
        server.leaveOut("/object/rows/0/cells/2", "the age of the object");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.watch(CONFIG_MAPS, "application/json;as=Table;v=v1;g=meta.k8s.io")
                .next(1);
    }

    @Story
    void aWatchOfMetadataBringsMetadata(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.watch(CONFIG_MAPS, "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")
                .next(1);
    }

    @Story
    void aFinalizedObjectIsModifiedAndThenDeleted(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, finalizers: [example.org/hold]}}");
        var watch = server.watch(CONFIG_MAPS).next(1);
        server.delete(CONFIG_MAPS + "/a");
        watch.next(1);
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {finalizers: null}}");
        watch.next(1);
    }

    @Story
    void anUnboundPodIsMarkedBeforeItIsDeleted(Dialogue server) {
        server.post(PODS, SMALL_POD);
        var watch = server.watch(PODS).next(1);
        server.delete(PODS + "/small");
        watch.next(2);
    }

    @Story
    void aChangeWithoutEffectBringsNoEvent(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        var watch = server.watch(CONFIG_MAPS).next(1);
        server.mergePatch(CONFIG_MAPS + "/a", "{data: {k: v}}");
        server.delete(CONFIG_MAPS + "/a");
        watch.next(1);
    }
}
