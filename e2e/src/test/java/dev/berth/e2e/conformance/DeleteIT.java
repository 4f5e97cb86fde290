package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.NAMESPACES;
import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Deletion: at once, by finalizers, with grace, of collections. No controllers run here. */
@OnBothServers
class DeleteIT {
    @Story
    void aDeletedObjectIsGone(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.delete(CONFIG_MAPS + "/a");
        server.get(CONFIG_MAPS + "/a");
        server.delete(CONFIG_MAPS + "/a");
    }

    @Story
    void aFinalizerKeepsTheObject(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, finalizers: [example.org/hold]}, data: {k: v}}");
        server.delete(CONFIG_MAPS + "/a");
        server.get(CONFIG_MAPS + "/a");
        server.delete(CONFIG_MAPS + "/a");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {finalizers: null}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aDyingObjectTakesNoNewFinalizer(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, finalizers: [example.org/hold]}}");
        server.delete(CONFIG_MAPS + "/a");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {finalizers: [example.org/hold, example.org/more]}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{data: {still: writable}}");
        server.mergePatch(CONFIG_MAPS + "/a", "{metadata: {finalizers: []}}");
    }

    @Story
    void aPreconditionProtectsTheObject(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.delete(CONFIG_MAPS + "/a", "{preconditions: {uid: 11111111-2222-3333-4444-555555555555}}");
        server.delete(CONFIG_MAPS + "/a", "{preconditions: {resourceVersion: \"1\"}}");
        server.delete(CONFIG_MAPS + "/a", "{preconditions: {uid: %s}}".formatted(made.uid()));
    }

    @Story
    void aPodThatIsNotBoundIsDeletedAtOnce(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.delete(PODS + "/small");
        server.get(PODS + "/small");
    }

    @Story
    void aBoundPodIsGivenTime(Dialogue server) {
        server.post(PODS, "{metadata: {name: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
        server.delete(PODS + "/a");
        server.get(PODS + "/a");
        server.delete(PODS + "/a?gracePeriodSeconds=0");
        server.get(PODS + "/a");
    }

    @Story
    void theGraceOfADyingPodCanBeShortened(Dialogue server) {
        server.post(PODS, "{metadata: {name: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
        server.delete(PODS + "/a", "{gracePeriodSeconds: 60}");
        server.delete(PODS + "/a", "{gracePeriodSeconds: 5}");
        server.delete(PODS + "/a", "{gracePeriodSeconds: 100}");
        server.delete(PODS + "/a", "{kind: DeleteOptions, apiVersion: v1, gracePeriodSeconds: 0}");
    }

    @Story
    void aPodsOwnGraceIsTheDefault(Dialogue server) {
        server.post(
                PODS,
                "{metadata: {name: a}, spec: {nodeName: n1, terminationGracePeriodSeconds: 3, containers: [{name: c, image: i}]}}");
        server.delete(PODS + "/a");
        server.delete(PODS + "/a?gracePeriodSeconds=0");
    }

    @Story
    void anEndedPodIsDeletedAtOnce(Dialogue server) {
        server.quietly("POST", PODS, "{metadata: {name: a}, spec: {nodeName: n1, containers: [{name: c, image: i}]}}");
        server.mergePatch(PODS + "/a/status", "{status: {phase: Succeeded}}");
        server.delete(PODS + "/a");
        server.get(PODS + "/a");
    }

    @Story
    void aForegroundDeletionWaitsForTheCollector(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.delete(CONFIG_MAPS + "/a?propagationPolicy=Foreground");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void anOrphaningDeletionWaitsForTheCollector(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.delete(CONFIG_MAPS + "/a", "{propagationPolicy: Orphan}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void anUnknownPropagationPolicyIsRefused(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.delete(CONFIG_MAPS + "/a", "{propagationPolicy: Sideways}");
        server.delete(CONFIG_MAPS + "/a", "{propagationPolicy: Orphan, orphanDependents: true}");
        server.delete(CONFIG_MAPS + "/a", "{gracePeriodSeconds: -1}");
    }

    @Story
    void aCollectionIsDeleted(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: b}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: c, labels: {x: y}}}");
        server.delete(CONFIG_MAPS + "?labelSelector=x%3Dy");
        server.get(CONFIG_MAPS);
        server.delete(CONFIG_MAPS);
        server.get(CONFIG_MAPS);
    }

    @Story
    void aCollectionWithFinalizersIsOnlyMarked(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a, finalizers: [example.org/hold]}}");
        server.delete(CONFIG_MAPS);
        server.get(CONFIG_MAPS);
    }

    @Story
    void aNamespaceIsMarkedAndTakesNothingNew(Dialogue server) {
        server.quietly("POST", NAMESPACES, "{metadata: {name: leaving}}");
        server.delete(NAMESPACES + "/leaving");
        server.post("/api/v1/namespaces/leaving/configmaps", "{metadata: {name: late}}");
        server.get(NAMESPACES + "/leaving");
    }

    @Story
    void aNamespaceEndsWhenItsFinalizerGoes(Dialogue server) {
        server.quietly("POST", NAMESPACES, "{metadata: {name: ending}}");
        server.delete(NAMESPACES + "/ending");
        server.put(
                NAMESPACES + "/ending/finalize",
                "{apiVersion: v1, kind: Namespace, metadata: {name: ending}, spec: {finalizers: []}}");
        server.get(NAMESPACES + "/ending");
    }

    @Story
    void theDefaultNamespaceStays(Dialogue server) {
        server.delete(NAMESPACES + "/default");
    }

    @Story
    void theAnswerToADeletionIsTheStatusOrTheObject(Dialogue server) {
        server.post(NODES, "{metadata: {name: the-answer-to-a-deletion}}");
        server.delete(NODES + "/the-answer-to-a-deletion");
        server.post(DEPLOYMENTS, """
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
                """);
        server.delete(DEPLOYMENTS + "/web");
    }
}
