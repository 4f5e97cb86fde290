package dev.berth.e2e.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.Programs;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import io.fabric8.kubernetes.api.model.Pod;
import org.junit.jupiter.api.Timeout;

/** An unmodified kube-scheduler places a hundred fractional pods through the extender. */
@OnBothServers
class KubeSchedulerIT {
    private static final int PODS = 100;
    private static final int MEMORY_EACH = 4;

    @Story
    @Timeout(300)
    void aHundredPodsArePlacedWithWholeNodesInTheRequest(Cluster server) throws Exception {
        placed(server, "whole", """
                filterVerb: predicates
                enableHTTPS: false
                nodeCacheCapable: false
                """);
    }

    @Story
    @Timeout(300)
    void aHundredPodsArePlacedWithNamesInTheRequest(Cluster server) throws Exception {
        placed(server, "names", """
                filterVerb: predicates
                prioritizeVerb: priorities
                weight: 1
                enableHTTPS: false
                nodeCacheCapable: true
                managedResources: [{name: tencent.com/vcuda-core}]
                """);
    }

    @Story
    @Timeout(300)
    void aHundredPodsAreBoundByTheExtender(Cluster server) throws Exception {
        placed(server, "bind", """
                filterVerb: predicates
                bindVerb: bind
                preemptVerb: preempt
                enableHTTPS: false
                nodeCacheCapable: true
                managedResources: [{name: tencent.com/vcuda-core}]
                """);
    }

    private static void placed(Cluster server, String mode, String extender) throws Exception {
        try (var slices = new SliceCluster(server)) {
            slices.addNodes(10, 4, MEMORY_EACH);
            try (var observer = new Observer(slices, MEMORY_EACH);
                    var replica = Replica.start(server.kubeconfig());
                    var scheduler = Companions.scheduler(
                            Programs.find(),
                            server,
                            E2eFolder.target("extender").resolve(mode + "-" + server.name()),
                            configuration(slices, replica, extender))) {
                for (int number = 0; number < PODS; number++) {
                    slices.create("pod-%03d".formatted(number), 30, 1);
                }
                SliceCluster.await(
                        "every pod to be bound; kube-scheduler says " + scheduler.lastWords(),
                        () -> slices.pods().stream()
                                        .filter(KubeSchedulerIT::bound)
                                        .count()
                                == PODS);

                assertThat(slices.pods()).allSatisfy(pod -> {
                    assertThat(SliceCluster.annotations(pod))
                            .containsEntry(SliceCluster.NODE, pod.getSpec().getNodeName())
                            .containsEntry("tencent.com/gpu-assigned", "false")
                            .containsKey(SliceCluster.INDEX);
                });
                SliceCluster.await("the observer to have seen all", () -> observer.placed() == PODS);
                assertThat(observer.complaints()).isEmpty();
                // Three pods of 30 cores a GPU: a hundred of them need 34 GPUs, so packed they leave a node empty.
                assertThat(slices.pods().stream()
                                .map(pod -> pod.getSpec().getNodeName())
                                .distinct()
                                .count())
                        .isEqualTo(9);
            }
        }
    }

    private static String configuration(SliceCluster slices, Replica replica, String extender) {
        return """
                profiles:
                  - schedulerName: %s
                extenders:
                  - urlPrefix: %s
                %s""".formatted(slices.scheduler(), replica.url(), extender.indent(4));
    }

    private static boolean bound(Pod pod) {
        return pod.getSpec().getNodeName() != null;
    }
}
