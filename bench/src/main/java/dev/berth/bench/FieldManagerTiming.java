package dev.berth.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.patch.FieldManager;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What the managed fields of one 2 KB pod cost, on one thread, in microseconds. */
public final class FieldManagerTiming {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ROUND = 20_000;

    private FieldManagerTiming() {}

    public static void main(String[] arguments) throws IOException {
        var pods = new ResourceType(
                "",
                "v1",
                "Pod",
                "pods",
                "pod",
                List.of(),
                List.of(),
                true,
                Set.of(),
                Set.of("status"),
                Schemas.load().named("io.k8s.api.core.v1.Pod"));
        var manager = new FieldManager("bench", pods, "", Instant.EPOCH);
        var pod = (ObjectNode) MAPPER.readTree(PodBody.of("one"));
        ObjectNode stored = pod.deepCopy();
        manager.recordUpdate(null, stored);
        ObjectNode changed = stored.deepCopy();
        changed.withObject("/metadata/labels").put("tier", "urgent");
        System.out.printf(
                "pod %d bytes, with managed fields %d bytes%n",
                MAPPER.writeValueAsBytes(pod).length, MAPPER.writeValueAsBytes(stored).length);
        for (int round = 1; round <= 8; round++) {
            double create = micros(() -> {
                pod.withObjectProperty("metadata").remove("managedFields");
                manager.recordUpdate(null, pod);
            });
            double update = micros(() -> manager.recordUpdate(stored, changed));
            double same = micros(() -> manager.recordUpdate(stored, stored.deepCopy()));
            double copy = micros(stored::deepCopy);
            System.out.printf(
                    "round %d: create %.1f µs, update of a label %.1f µs, no change %.1f µs (of it copying %.1f)%n",
                    round, create, update, same, copy);
        }
    }

    private static double micros(Runnable work) {
        // The thread's own time: other programs on the machine do not count.
        long start = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < ROUND; i++) work.run();
        return (THREADS.getCurrentThreadCpuTime() - start) / 1000.0 / ROUND;
    }
}
