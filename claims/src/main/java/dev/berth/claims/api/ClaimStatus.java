package dev.berth.claims.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.core.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a claim got.
 *
 * @param classConfigs the settings objects of the classes, as they were when the devices were given out
 * @param claimConfigs those of the claim
 * @param deviceStatuses what the drivers say, kept as written
 * @param podNames the pods that use it
 */
public record ClaimStatus(
        List<JsonNode> classConfigs,
        List<JsonNode> claimConfigs,
        List<Allocation> allocations,
        List<JsonNode> deviceStatuses,
        List<String> podNames) {
    public static final ClaimStatus EMPTY = new ClaimStatus(List.of(), List.of(), List.of(), List.of(), List.of());

    /**
     * One device that was given out.
     *
     * @param deviceName empty in a privileged claim of the oldest form
     * @param amounts how much of what it provides; all of everything when it is held whole
     * @param adminAccess whether it holds nothing; not in the prototype, the word is resource.k8s.io's
     */
    public record Allocation(
            String devicePoolName, String deviceName, SortedMap<String, Quantity> amounts, boolean adminAccess) {
        public Allocation {
            amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
        }

        private static Allocation read(Field field) {
            var fields = field.fields().skip("deviceCount");
            SortedMap<String, Quantity> amounts = new TreeMap<>();
            for (Field item : fields.items("allocations")) {
                var amount = item.fields();
                amounts.put(
                        amount.require("name").text(),
                        amount.require("allocation").quantity());
                amount.done();
            }
            var allocation = new Allocation(
                    fields.require("devicePoolName").text(),
                    fields.text("deviceName").orElse(""),
                    amounts,
                    fields.flag("adminAccess"));
            fields.done();
            return allocation;
        }

        private void write(ObjectNode json) {
            json.put("devicePoolName", devicePoolName);
            if (!deviceName.isEmpty()) {
                json.put("deviceName", deviceName);
            }
            amounts.forEach((name, amount) -> json.withArrayProperty("allocations")
                    .addObject()
                    .put("name", name)
                    .put("allocation", Quantities.text(amount)));
            if (adminAccess) {
                json.put("adminAccess", true);
            }
        }

        @Override
        public String toString() {
            return devicePoolName + "/" + deviceName;
        }
    }

    public ClaimStatus {
        classConfigs = List.copyOf(classConfigs);
        claimConfigs = List.copyOf(claimConfigs);
        allocations = List.copyOf(allocations);
        deviceStatuses = List.copyOf(deviceStatuses);
        podNames = List.copyOf(new TreeSet<>(podNames));
    }

    public boolean isEmpty() {
        return equals(EMPTY);
    }

    public boolean isAllocated() {
        return !allocations.isEmpty();
    }

    /** With one more pod that uses it. */
    public ClaimStatus usedBy(String podName) {
        List<String> names = new ArrayList<>(podNames);
        names.add(podName);
        return new ClaimStatus(classConfigs, claimConfigs, allocations, deviceStatuses, names);
    }

    /** Without these pods; the last one to go gives the devices back. */
    public ClaimStatus without(Collection<String> gone) {
        List<String> names =
                podNames.stream().filter(name -> !gone.contains(name)).toList();
        return names.isEmpty()
                ? EMPTY
                : new ClaimStatus(classConfigs, claimConfigs, allocations, deviceStatuses, names);
    }

    static ClaimStatus read(Field field) {
        var fields = field.fields();
        var status = new ClaimStatus(
                values(fields, "classConfigs"),
                values(fields, "claimConfigs"),
                fields.items("allocations").stream().map(Allocation::read).toList(),
                values(fields, "deviceStatuses"),
                fields.texts("podNames"));
        fields.done();
        return status;
    }

    private static List<JsonNode> values(Fields fields, String name) {
        return fields.items(name).stream().map(Field::value).toList();
    }

    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        put(json, "classConfigs", classConfigs);
        put(json, "claimConfigs", claimConfigs);
        if (!allocations.isEmpty()) {
            ArrayNode array = json.putArray("allocations");
            allocations.forEach(allocation -> allocation.write(array.addObject()));
        }
        put(json, "deviceStatuses", deviceStatuses);
        podNames.forEach(json.withArrayProperty("podNames")::add);
        if (podNames.isEmpty()) {
            json.remove("podNames");
        }
        return json;
    }

    private static void put(ObjectNode json, String name, List<JsonNode> values) {
        if (!values.isEmpty()) {
            json.putArray(name).addAll(values);
        }
    }
}
