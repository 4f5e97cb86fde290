package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.DEPLOYMENTS;
import static dev.berth.e2e.conformance.Paths.PODS;
import static dev.berth.e2e.conformance.Paths.SECRETS;
import static dev.berth.e2e.conformance.Paths.SMALL_POD;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** Updates and optimistic locking. */
@OnBothServers
class UpdateIT {
    @Story
    void anUpdateReplacesTheObject(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a, labels: {x: y}}, data: {k: v, l: w}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}, data: {k: changed}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void anUpdateThatChangesNothingKeepsTheVersion(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.put(CONFIG_MAPS + "/a", made.text());
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}, data: {k: v}}");
    }

    @Story
    void anUpdateOfAnOldVersionConflicts(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}, data: {k: w}}");
        server.put(CONFIG_MAPS + "/a", made.text());
    }

    @Story
    void anUpdateOfWhatIsNotThereIsNotFound(Dialogue server) {
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a, resourceVersion: \"5\"}}");
    }

    @Story
    void anUpdateOfAnotherUidConflicts(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a, uid: 11111111-2222-3333-4444-555555555555}}");
    }

    @Story
    void theNameOfTheBodyMustBeThatOfThePath(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: b}}");
        server.put(CONFIG_MAPS + "/a", "{data: {x: y}}");
    }

    @Story
    void aVersionMustBeANumber(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a, resourceVersion: latest}}");
    }

    @Story
    void anImmutableConfigMapStaysAsItIs(Dialogue server) {
        server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}, immutable: true}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}, data: {k: w}, immutable: true}");
        server.put(CONFIG_MAPS + "/a", "{metadata: {name: a}, data: {k: v}}");
    }

    @Story
    void theTypeOfASecretStaysAsItIs(Dialogue server) {
        server.post(SECRETS, "{metadata: {name: s}, type: Opaque}");
        server.put(SECRETS + "/s", "{metadata: {name: s}, type: example.org/other}");
    }

    @Story
    void mostOfAPodStaysAsItIs(Dialogue server) {
        var pod = server.post(PODS, SMALL_POD);
        server.put(PODS + "/small", pod.edited(body -> body.withObject("/spec").put("restartPolicy", "Never")));
    }

    @Story
    void theImageOfAPodMayChange(Dialogue server) {
        var pod = server.post(PODS, SMALL_POD);
        server.put(
                PODS + "/small",
                pod.edited(body -> body.withObject("/spec/containers/0").put("image", "example.org/app:2")));
    }

    @Story
    void theGenerationCountsChangesOfTheSpec(Dialogue server) {
        var made = server.post(DEPLOYMENTS, """
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: c, image: i}]}
                """);
        var labelled = server.put(
                DEPLOYMENTS + "/web",
                made.edited(body -> body.withObject("/metadata/labels").put("tier", "front")));
        server.put(
                DEPLOYMENTS + "/web",
                labelled.edited(body -> body.withObject("/spec").put("replicas", 3)));
    }

    @Story
    void theSelectorOfADeploymentStaysAsItIs(Dialogue server) {
        var made = server.post(DEPLOYMENTS, """
                metadata: {name: web}
                spec:
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web, also: x}}
                    spec: {containers: [{name: c, image: i}]}
                """);
        server.put(
                DEPLOYMENTS + "/web",
                made.edited(
                        body -> body.withObject("/spec/selector/matchLabels").put("also", "x")));
    }

    @Story
    void theManagersOfFieldsChangeWithThem(Dialogue server) {
        server.post(CONFIG_MAPS + "?fieldManager=one", "{metadata: {name: a}, data: {k: v, l: w}}");
        server.put(CONFIG_MAPS + "/a?fieldManager=two", "{metadata: {name: a}, data: {k: v, l: x}}");
        server.put(CONFIG_MAPS + "/a?fieldManager=three", "{metadata: {name: a}, data: {k: v}}");
    }

    @Story
    void managedFieldsCanBeWipedOut(Dialogue server) {
        var made = server.post(CONFIG_MAPS, "{metadata: {name: a}, data: {k: v}}");
        server.put(
                CONFIG_MAPS + "/a",
                made.edited(body ->
                        body.withObject("/metadata").putArray("managedFields").addObject()));
    }
}
