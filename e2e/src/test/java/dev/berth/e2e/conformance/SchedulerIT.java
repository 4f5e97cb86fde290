package dev.berth.e2e.conformance;

import static dev.berth.e2e.conformance.Paths.NODES;
import static dev.berth.e2e.conformance.Paths.PODS;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Programs;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.List;

/**
 * An unmodified kube-scheduler binds pods, on either server. Their resource is one that no pod of another story asks
 * for: the scheduler looks at all namespaces.
 */
@OnBothServers
class SchedulerIT {
    private static GuardedProcess scheduler(Dialogue server) throws Programs.Unavailable {
        return Companions.scheduler(
                Programs.find(),
                server.cluster(),
                E2eFolder.target("scheduler")
                        .resolve(server.namespace() + "-" + server.cluster().name()));
    }

    private static void node(Dialogue server, String name, int gpus) {
        server.cleanUp(NODES + "/" + name);
        server.quietly("POST", NODES, """
                metadata: {name: %s}
                status:
                  capacity: {cpu: "4", memory: 8Gi, pods: "110", story.example.org/gpu: "%d"}
                  allocatable: {cpu: "4", memory: 8Gi, pods: "110", story.example.org/gpu: "%d"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(name, gpus, gpus));
        // The API server taints every new node; the node controller, which is not here, would take that away.
        server.quietly(server.request("PATCH", NODES + "/" + name)
                .type("application/merge-patch+json")
                .body("{\"spec\": {\"taints\": null}}"));
    }

    private static boolean scheduled(JsonNode pod, String status) {
        return pod.at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals("PodScheduled")
                        && condition.path("status").asText().equals(status));
    }

    @Story
    void aPodIsBoundToTheNodeThatHasTheGpus(Dialogue server) throws Programs.Unavailable {
        node(server, "without-gpus", 0);
        node(server, "with-gpus", 8);
        try (var _ = scheduler(server)) {
            server.quietly(
                    "POST",
                    PODS,
                    "{metadata: {name: p}, spec: {containers: [{name: c, image: i, resources: {limits: {story.example.org/gpu: 4}}}]}}");
            var pod = server.await(PODS + "/p", each -> scheduled(each, "True"));
            server.note("node", pod.at("/spec/nodeName"));
            server.note("conditions", pod.at("/status/conditions"));
        }
    }

    @Story
    void aPodThatFitsNowhereIsTold(Dialogue server) throws Programs.Unavailable {
        node(server, "small-node", 1);
        try (var _ = scheduler(server)) {
            server.quietly(
                    "POST",
                    PODS,
                    "{metadata: {name: p}, spec: {containers: [{name: c, image: i, resources: {limits: {story.example.org/gpu: 4}}}]}}");
            var pod = server.await(PODS + "/p", each -> scheduled(each, "False"));
            server.note("conditions", pod.at("/status/conditions"));
            var events = server.await(
                    "/api/v1/namespaces/{ns}/events",
                    list -> !list.path("items").isEmpty());
            server.note("event", events.at("/items/0/reason"));
            server.note("words", events.at("/items/0/message"));
        }
    }

    @Story
    void manyPodsFillTheNodes(Dialogue server) throws Programs.Unavailable {
        node(server, "first-of-two", 4);
        node(server, "second-of-two", 4);
        try (var _ = scheduler(server)) {
            for (int i = 0; i < 9; i++) {
                server.quietly(
                        "POST",
                        PODS,
                        "{metadata: {name: p%d}, spec: {containers: [{name: c, image: i, resources: {limits: {story.example.org/gpu: 1}}}]}}"
                                .formatted(i));
            }
            server.await(
                    PODS,
                    list -> list.path("items")
                                            .valueStream()
                                            .filter(pod -> scheduled(pod, "True"))
                                            .count()
                                    == 8
                            && list.path("items")
                                            .valueStream()
                                            .filter(pod -> scheduled(pod, "False"))
                                            .count()
                                    == 1);
            for (var node : List.of("first-of-two", "second-of-two")) {
                var bound = server.quietly("GET", PODS + "?fieldSelector=spec.nodeName%3D" + node, "");
                server.note("on " + node, bound.body().path("items").size());
            }
        }
    }
}
