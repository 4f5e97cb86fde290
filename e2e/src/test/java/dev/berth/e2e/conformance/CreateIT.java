package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.PODS;

import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

@OnBothServers
class CreateIT {
    @Story
    void aConfigMapIsCreatedAndRead(Dialogue server) {
        server.post(CONFIG_MAPS, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {color: blue}}");
        server.get(CONFIG_MAPS + "/a");
    }

    @Story
    void aPodGetsItsDefaults(Dialogue server) {
        server.post(PODS, Paths.SMALL_POD);
    }
}
