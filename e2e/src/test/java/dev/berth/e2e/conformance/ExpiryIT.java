package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.CONFIG_MAPS;
import static dev.berth.e2e.conformance.Paths.CRDS;

import dev.berth.e2e.server.ControlPlane;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;

/** What a client is told that comes too late: the history it asks for is forgotten. */
@OnBothServers
class ExpiryIT {
    /** The real server forgets on demand; the embedded one when there is too much, so it is given too much. */
    private static void forget(Dialogue server) {
        if (server.cluster() instanceof ControlPlane real) {
            server.quietly("POST", CONFIG_MAPS, "{metadata: {name: later}}");
            real.compact(Long.parseLong(server.quietly("GET", CONFIG_MAPS, "").resourceVersion()));
            return;
        }
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: large}}");
        var filling = "x".repeat(1_000_000);
        for (int i = 1; i < 80; i++) {
            server.quietly(server.request("PUT", CONFIG_MAPS + "/large")
                    .type("application/json")
                    .body("{\"metadata\":{\"name\":\"large\"},\"data\":{\"k\":\"" + i + filling + "\"}}"));
        }
        server.quietly("DELETE", CONFIG_MAPS + "/large", "");
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: later}}");
    }

    @Story
    void aListOfAForgottenVersionIsGone(Dialogue server) {
        server.quietly("POST", CONFIG_MAPS, "{metadata: {name: a}}");
        var then = server.quietly("GET", CONFIG_MAPS, "").resourceVersion();
        server.quietly("DELETE", CONFIG_MAPS + "/a", "");
        forget(server);
        server.hide("resourceVersion=" + then, "resourceVersion=(then)");
        server.get(CONFIG_MAPS + "?resourceVersionMatch=Exact&resourceVersion=" + then);
    }

    @Story
    void aContinuationOfAForgottenVersionIsGone(Dialogue server) {
        for (var name : new String[] {"a", "b", "c"}) {
            server.quietly("POST", CONFIG_MAPS, "{metadata: {name: %s}}".formatted(name));
        }
        var first = server.quietly("GET", CONFIG_MAPS + "?limit=1", "").at("/metadata/continue");
        forget(server);
        server.hide(first, "(token)");
        var gone = server.get(CONFIG_MAPS + "?limit=5&continue=" + first);
        server.hide(gone.at("/metadata/continue"), "(inconsistent token)");
        server.get(CONFIG_MAPS + "?limit=5&continue=" + gone.at("/metadata/continue"));
    }

    @Story
    void aWatchFromBeforeTheHistoryIsGone(Dialogue server) {
        server.cleanUp(CRDS + "/relics.expiry.example.org");
        server.quietly("POST", CRDS, """
                metadata: {name: relics.expiry.example.org}
                spec:
                  group: expiry.example.org
                  scope: Namespaced
                  names: {plural: relics, singular: relic, kind: Relic}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """);
        var relics = "/apis/expiry.example.org/v1/namespaces/{ns}/relics";
        server.await(relics, list -> list.has("items"));
        server.watch(relics + "?resourceVersion=1").toTheEnd();
    }
}
