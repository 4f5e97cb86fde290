package dev.berth.e2e.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.FaultProxy;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;

/** The claims scheduler speaks {@code resource.k8s.io/v1}: one pod's way, and what can happen on it. */
@OnBothServers(controllers = true)
class DraSchedulerIT {
    @Story
    @Timeout(240)
    void aClaimIsWrittenAsTheApiDefinesItAndGivenBack(Dialogue server) {
        var stage = new DraStage(server, "one.dra.example.com");
        stage.node("dra-one", 2);
        try (var _ = stage.scheduler("dra-one", "dra-one")) {
            stage.pod("first", "dra-one");
            server.await(
                    DraStage.PODS + "/first", pod -> !ClaimsStage.nodeOf(pod).isEmpty());

            var claim = server.await(DraStage.CLAIMS + "/first", each -> true);
            assertThat(DraStage.devices(claim)).containsExactly("dra-one/gpu-0");
            assertThat(claim.at("/status/reservedFor/0/resource").asText()).isEqualTo("pods");
            assertThat(claim.at("/status/reservedFor/0/name").asText()).isEqualTo("first");
            assertThat(claim.at("/status/allocation/devices/results/0/request").asText())
                    .isEqualTo("gpu");
            assertThat(claim.at("/metadata/finalizers/0").asText())
                    .isEqualTo("resource.kubernetes.io/delete-protection");
            stage.pod("second", "dra-one");
            server.await(
                    DraStage.PODS + "/second", pod -> !ClaimsStage.nodeOf(pod).isEmpty());
            stage.pod("third", "dra-one");
            assertThat(ClaimsStage.refusal(server.await(
                            DraStage.PODS + "/third",
                            pod -> !ClaimsStage.refusal(pod).isEmpty())))
                    .contains("gpu wants 1 device", "2 held by");
            var said = BerthProcess.run(
                    "explain",
                    "pod",
                    "third",
                    "--namespace=" + server.namespace(),
                    "--kubeconfig=" + server.cluster().kubeconfig());
            assertThat(said.out())
                    .as(said.err())
                    .contains("gpu wants 1 device, of 2: 2 held by")
                    .contains("on dra-one:")
                    .contains("1 removed: held by claim %s/first".formatted(server.namespace()))
                    .contains("1 removed: held by claim %s/second".formatted(server.namespace()));

            server.quietly("DELETE", DraStage.PODS + "/first", "{gracePeriodSeconds: 0}");

            server.await(
                    DraStage.PODS + "/third", pod -> !ClaimsStage.nodeOf(pod).isEmpty());
            server.await(
                    DraStage.CLAIMS + "/first",
                    each -> DraStage.devices(each).isEmpty()
                            && each.at("/metadata/finalizers").isEmpty());
        }
    }

    @Story
    @Timeout(240)
    void anExtendedResourceIsMetByDevices(Dialogue server) {
        var stage = new DraStage(server, "extended.dra.example.com");
        stage.node("dra-extended", 2);
        try (var _ = stage.scheduler("dra-extended", "dra-extended")) {
            stage.podByNumber("counted", "dra-extended", 2);
            var pod = server.await(
                    DraStage.PODS + "/counted",
                    each -> !ClaimsStage.nodeOf(each).isEmpty());

            var status = pod.at("/status/extendedResourceClaimStatus");
            assertThat(status.at("/requestMappings/0/containerName").asText()).isEqualTo("main");
            var name = status.path("resourceClaimName").asText();
            var claim = server.await(DraStage.CLAIMS + "/" + name, each -> true);
            assertThat(DraStage.devices(claim)).containsExactly("dra-extended/gpu-0", "dra-extended/gpu-1");
            assertThat(claim.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("counted");

            stage.podByNumber("next", "dra-extended", 1);
            assertThat(ClaimsStage.refusal(server.await(
                            DraStage.PODS + "/next",
                            each -> !ClaimsStage.refusal(each).isEmpty())))
                    .contains("wants 1 device, of 2: 2 held by");
            server.quietly("DELETE", DraStage.PODS + "/counted", "{gracePeriodSeconds: 0}");
            server.await(
                    DraStage.PODS + "/next", each -> !ClaimsStage.nodeOf(each).isEmpty());
        }
    }

    @Story
    @Timeout(240)
    void aRuleTaintsDevicesUntilItIsGone(Dialogue server) {
        var stage = new DraStage(server, "tainted.dra.example.com");
        stage.node("dra-tainted", 1);
        stage.rule("dra-tainted", "NoExecute");
        try (var _ = stage.scheduler("dra-tainted", "dra-tainted")) {
            stage.pod("waits", "dra-tainted");
            assertThat(ClaimsStage.refusal(server.await(
                            DraStage.PODS + "/waits",
                            pod -> !ClaimsStage.refusal(pod).isEmpty())))
                    .contains("gpu wants 1 device, of 1: 1 tainted, 0 free");
            var named = List.of(
                    "--namespace=" + server.namespace(),
                    "--kubeconfig=" + server.cluster().kubeconfig());
            var said = BerthProcess.run("explain", "pod", "waits", named.getFirst(), named.getLast());
            assertThat(said.out()).as(said.err()).contains("1 looked at", "example.com/broken");
            stage.pod("asked", "nobody");
            var asked = BerthProcess.run("schedule", named.getFirst(), named.getLast(), "asked");
            assertThat(asked.exit()).isEqualTo(1);
            assertThat(asked.out() + asked.err()).contains("of 1: 1 tainted, 0 free");

            server.quietly("DELETE", DraStage.RULES + "/dra-tainted", "");

            server.await(
                    DraStage.PODS + "/waits", pod -> !ClaimsStage.nodeOf(pod).isEmpty());
        }
    }

    @Story
    @Timeout(240)
    void devicesAreMatchedByLists(Dialogue server) {
        var stage = new DraStage(server, "lists.dra.example.com");
        stage.node("dra-lists", """
                {name: a, attributes: {roots: {strings: [x, y]}}},
                {name: b, attributes: {roots: {strings: [z]}}},
                {name: c, attributes: {roots: {strings: [y]}}}""");
        try (var _ = stage.scheduler("dra-lists", "dra-lists")) {
            stage.claim("pair", 2, "{matchAttribute: lists.dra.example.com/roots}");
            stage.podWith("matched", "dra-lists", "pair");

            server.await(
                    DraStage.PODS + "/matched", pod -> !ClaimsStage.nodeOf(pod).isEmpty());
            assertThat(DraStage.devices(server.await(DraStage.CLAIMS + "/pair", each -> true)))
                    .containsExactly("dra-lists/a", "dra-lists/c");
        }
    }

    /** The first claim is written, the second is not: the first is given back before the next attempt. */
    @Story
    @Timeout(240)
    void aPodThatGotHalfOfItsClaimsGivesThemBack(Dialogue server) {
        var stage = new DraStage(server, "half.dra.example.com");
        stage.node("dra-half", 2);
        stage.claim("half-a", 1, "");
        stage.claim("half-b", 1, "");
        List<String> writes = new CopyOnWriteArrayList<>();
        var refused = new AtomicBoolean();
        try (var proxy = FaultProxy.start(server.cluster())) {
            proxy.plan(request -> {
                if (!request.method().equals("PUT") || !request.path().matches(".*/half-./status")) {
                    return FaultProxy.Fault.NONE;
                }
                boolean refuse = request.path().endsWith("b/status") && refused.compareAndSet(false, true);
                writes.add(request.path().replaceFirst(".*/(half-.)/status", "$1") + (refuse ? " refused" : ""));
                return refuse ? new FaultProxy.Fault.Refuse(403) : FaultProxy.Fault.NONE;
            });
            try (var _ = stage.scheduler("dra-half", "dra-half", proxy.kubeconfig())) {
                stage.podWith("halved", "dra-half", "half-a", "half-b");
                server.await(
                        DraStage.PODS + "/halved",
                        pod -> !ClaimsStage.nodeOf(pod).isEmpty());
            }
        }
        assertThat(writes).containsExactly("half-a", "half-b refused", "half-a", "half-a", "half-b");
        assertThat(stage.claims())
                .allSatisfy(claim -> assertThat(DraStage.devices(claim)).hasSize(1));
        assertThat(stage.held("dra-half")).hasSize(2);
    }
}
