package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The rows of device claims and pools, of the prototype and of resource.k8s.io. */
final class DeviceCells {
    private DeviceCells() {}

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

    static void pool(Row row) {
        row.name()
                .text("/spec/driver")
                .text("/spec/nodeName", Row.NONE)
                .count("/spec/devices")
                .age();
    }

    static void claim(Row row) {
        Set<String> classes = new LinkedHashSet<>();
        for (JsonNode device : row.object().at("/spec/devices")) {
            addClass(classes, device);
            device.path("allOf").forEach(detail -> addClass(classes, detail));
            device.path("oneOf").forEach(detail -> addClass(classes, detail));
        }
        List<String> devices = new ArrayList<>();
        for (JsonNode allocation : row.object().at("/status/allocations")) {
            devices.add(allocation.path("devicePoolName").asText() + "/"
                    + allocation.path("deviceName").asText());
        }
        row.name()
                .add(orNone(classes))
                .add(orNone(devices))
                .add(orNone(List.of(Row.joined(row.object().at("/status/podNames"), ","))))
                .age();
    }

    private static void addClass(Set<String> classes, JsonNode detail) {
        if (detail.has("class")) classes.add(detail.path("class").asText());
    }

    private static String orNone(Collection<String> words) {
        String joined = String.join(",", words);
        return joined.isEmpty() ? Row.NONE : joined;
    }
}
