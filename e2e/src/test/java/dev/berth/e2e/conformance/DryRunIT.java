package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Writes that are only tried. */
@OnBothServers
class DryRunIT {
    @Story
    void aTriedCreationIsNotStored(Dialogue server) {
        server.post(CONFIG_MAPS + "?dryRun=All", "{metadata: {name: a}, data: {k: v}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aTriedCreationIsValidated(Dialogue server) {
        server.post(CONFIG_MAPS + "?dryRun=All", "{metadata: {name: Not-A-Name}}");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}}");
        server.post(CONFIG_MAPS + "?dryRun=All", "{metadata: {name: a}}");
    }

    @Story
    void aTriedUpdateIsNotStored(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.put(CONFIG_MAPS + "/a?dryRun=All", "{metadata: {name: a}, data: {k: w}}");
        server.mergePatch(CONFIG_MAPS + "/a?dryRun=All", "{data: {k: x}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aTriedApplyIsNotStored(Dialogue server) {
        server.apply(
                CONFIG_MAPS + "/a?dryRun=All",
                "one",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aTriedDeletionIsNotDone(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.delete(CONFIG_MAPS + "/a?dryRun=All");
        server.delete(CONFIG_MAPS + "/a", "{dryRun: [All]}");
        server.delete(CONFIG_MAPS + "?dryRun=All");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aTriedBindingIsNotDone(Dialogue server) {
        server.post(PODS, SMALL_POD);
        server.post(PODS + "/small/binding?dryRun=All", "{metadata: {name: small}, target: {kind: Node, name: n1}}");
        server.get(PODS + "/small");
    }
}
