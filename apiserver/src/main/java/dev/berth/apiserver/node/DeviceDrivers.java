package dev.berth.apiserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.status.ApiException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The drivers of simulated nodes: once a pod runs, they say that the devices of its claims are ready, and which address
 * a network device got.
 */
final class DeviceDrivers {
    private static final String GROUP = "devmgmtproto.k8s.io";
    private static final Resource CLAIMS = new Resource(GROUP, "v1alpha1", "deviceclaims");
    private static final Resource POOLS = new Resource(GROUP, "v1alpha1", "devicepools");
    private static final Resource DRIVERS = new Resource(GROUP, "v1alpha1", "devicedrivers");
    private static final Pattern NETWORK = Pattern.compile("(.*-)?(nic|net|network|vlan)(-.*)?");
    private static final int MOST_TRIES = 8;

    private final Api api;

    DeviceDrivers(Api api) {
        this.api = api;
    }

    /** For a pod that runs on a simulated node; nothing happens for a pod without claims. */
    void configure(ObjectNode pod, Instant now) {
        JsonNode metadata = pod.path("metadata");
        boolean claims = pod.path("spec").hasNonNull("deviceClaims")
                || metadata.path("annotations").hasNonNull(GROUP + "/device-claims");
        if (!claims) return;
        String podName = metadata.path("name").asText();
        try {
            for (ObjectNode claim : api.list(CLAIMS, metadata.path("namespace").asText(), Map.of())) {
                if (uses(claim, podName)) configure(claim, podName, now);
            }
        } catch (ApiException refused) {
            if (refused.code() != 404) throw refused; // a server without these kinds has no such claims either
        }
    }

    private static boolean uses(JsonNode claim, String pod) {
        for (JsonNode name : claim.at("/status/podNames")) {
            if (name.asText().equals(pod)) return true;
        }
        return false;
    }

    private void configure(ObjectNode seen, String pod, Instant now) {
        ObjectNode claim = seen;
        for (int tries = 1; ; tries++) {
            if (!addStatuses(claim, now)) return;
            try {
                api.updateStatus(CLAIMS, claim);
                return;
            } catch (ApiException refused) {
                if (refused.code() != 409 || tries == MOST_TRIES) throw refused;
            }
            JsonNode metadata = claim.path("metadata");
            claim = api.get(
                            CLAIMS,
                            metadata.path("namespace").asText(),
                            metadata.path("name").asText())
                    .orElse(null);
            if (claim == null || !uses(claim, pod)) return;
        }
    }

    /** Whether a device had no status yet. */
    private boolean addStatuses(ObjectNode claim, Instant now) {
        ObjectNode status = claim.withObjectProperty("status");
        ArrayNode statuses = status.withArrayProperty("deviceStatuses");
        Set<String> known = new HashSet<>();
        statuses.forEach(each -> known.add(key(each)));
        boolean added = false;
        for (JsonNode allocation : status.path("allocations")) {
            if (allocation.path("deviceName").isMissingNode() || !known.add(key(allocation))) continue;
            ObjectNode entry = statuses.addObject();
            entry.set("devicePoolName", allocation.path("devicePoolName"));
            entry.set("deviceName", allocation.path("deviceName"));
            entry.putArray("conditions")
                    .addObject()
                    .put("type", "Ready")
                    .put("status", "True")
                    .put("reason", "Simulated")
                    .put("message", "no driver was asked")
                    .put("lastTransitionTime", NodeObjects.seconds(now));
            if (isNetwork(allocation.path("devicePoolName").asText())) {
                entry.putArray("deviceIPs").addObject().put("ip", address(key(allocation)));
            }
            added = true;
        }
        return added;
    }

    private static String key(JsonNode entry) {
        return entry.path("devicePoolName").asText() + "/"
                + entry.path("deviceName").asText();
    }

    /** A pool whose driver manages network devices, and nothing else. */
    private boolean isNetwork(String pool) {
        String driver = api.get(POOLS, "", pool)
                .map(each -> each.at("/spec/driver").asText())
                .orElse("");
        return api.get(DRIVERS, "", driver)
                .map(each -> each.path("deviceTypes"))
                .filter(types -> !types.isEmpty())
                .map(types -> types.valueStream()
                        .allMatch(type -> NETWORK.matcher(type.asText()).matches()))
                .orElse(false);
    }

    /** The same address for the same device, as a fixed network would have it. */
    private static String address(String device) {
        int number = Math.floorMod(device.hashCode(), 65_024);
        return "10.224.%d.%d".formatted(number / 254, 1 + number % 254);
    }
}
