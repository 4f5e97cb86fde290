package dev.berth.apiserver.kinds;

import java.util.ArrayList;
import java.util.List;

/** The rows of resource.k8s.io. */
final class DeviceCells {
    private DeviceCells() {}

    static void taintRule(Row row) {
        row.name()
                .text("/spec/taint/key")
                .text("/spec/taint/value")
                .text("/spec/taint/effect")
                .elapsed("/spec/taint/timeAdded")
                .age();
    }

    static void resourceClaim(Row row) {
        boolean allocated = row.object().at("/status/allocation").isObject();
        List<String> states = new ArrayList<>();
        if (row.isDeleted()) states.add("deleted");
        if (allocated) {
            states.add("allocated");
            if (!row.object().at("/status/reservedFor").isEmpty()) states.add("reserved");
        } else if (!row.isDeleted()) {
            states.add("pending");
        }
        row.name().add(String.join(",", states)).age();
    }
}
