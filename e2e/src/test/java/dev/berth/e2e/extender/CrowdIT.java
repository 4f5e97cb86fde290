package dev.berth.e2e.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.DelayingProxy;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;

/** Room for exactly a thousand pods, and two replicas that hear of each other two seconds late. */
@OnBothServers
class CrowdIT {
    private static final int NODES = 25;
    private static final int GPUS = 10;
    private static final int PER_GPU = 4;
    private static final int PODS = NODES * GPUS * PER_GPU;
    private static final int AT_ONCE = 32;
    /** A scheduler tries a pod again that was not placed. */
    private static final int TRIES = 30;

    @Story
    @Timeout(600)
    void aThousandPodsFillEverySliceAndNoneTwice(Cluster server) throws Exception {
        try (var slices = new SliceCluster(server);
                var late = DelayingProxy.start(server, Duration.ofSeconds(2))) {
            slices.addNodes(NODES, GPUS, PER_GPU);
            try (var observer = new Observer(slices, PER_GPU);
                    var first = Replica.start(late.kubeconfig());
                    var second = Replica.start(late.kubeconfig())) {
                var calls = new ArrayList<Callable<String>>();
                for (int number = 0; number < PODS; number++) {
                    var name = "pod-%04d".formatted(number);
                    var replica = number % 2 == 0 ? first : second;
                    calls.add(() -> place(slices, replica, name));
                }
                var placed = new HashMap<String, Integer>();
                try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
                    for (var place : threads.invokeAll(calls)) {
                        placed.merge(place.get(), 1, Integer::sum);
                    }
                }

                assertThat(placed).hasSize(NODES * GPUS);
                assertThat(placed.values()).containsOnly(PER_GPU);
                SliceCluster.await("the observer to have seen all", () -> observer.placed() == PODS);
                assertThat(observer.complaints()).isEmpty();
            }
        }
    }

    private static String place(SliceCluster slices, Replica replica, String name) throws Exception {
        var pod = slices.create(name, 100 / PER_GPU, 1);
        var said = "";
        for (int tries = 1; tries <= TRIES; tries++) {
            said = SliceCluster.chosen(replica.ask("predicates", slices.question(pod)));
            if (slices.nodes().contains(said)) {
                slices.bind(pod, said);
                return said + "/" + SliceCluster.annotations(slices.read(pod)).get(SliceCluster.INDEX);
            }
            // As a scheduler that backs off; the answer itself is what is waited for.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        throw new AssertionError("pod %s was not placed: %s".formatted(name, said));
    }
}
