package dev.berth.extender.wire;

import java.util.List;
import java.util.Optional;

/**
 * A scheduler's question: which of these nodes for this pod.
 *
 * @param body the bytes it came in, for nodes that are sent back as they came
 * @param nodes where the list of nodes lies in the body, if it is there
 * @param names where the list of names lies in the body, if it is there
 */
@SuppressWarnings(
        "ArrayRecordComponent") // nobody compares requests, and copying megabytes would cost more than parsing
public record FilterRequest(
        byte[] body, GpuPod pod, Optional<Range> nodes, Optional<Range> names, List<Candidate> candidates) {
    /** Bytes of the body, the last one not included. */
    public record Range(int from, int to) {
        int length() {
            return to - from;
        }
    }

    /** Whether the scheduler knows the nodes itself and wants names back. */
    public boolean byName() {
        return nodes.isEmpty();
    }
}
