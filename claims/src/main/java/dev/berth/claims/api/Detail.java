package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.core.Quantity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One part of a claim: devices of one class.
 *
 * @param driver narrows it to one driver; stands in for the class in the oldest claims
 * @param adminAccess all matching devices, whoever holds them
 * @param allowShared takes only what it requests of each device, and leaves the rest to others
 * @param requests together over all devices chosen; {@code devices} says how many at least
 */
public record Detail(
        Optional<String> deviceClass,
        Optional<String> driver,
        boolean adminAccess,
        boolean allowShared,
        Optional<String> constraints,
        OptionalInt maxDevices,
        SortedMap<String, Quantity> requests,
        List<String> matchAttributes,
        List<String> distinctAttributes,
        List<ConfigReference> configs) {
    /** The key among the requests that counts devices. */
    public static final String DEVICES = "devices";

    private static final int MOST_DEVICES = 1024;

    private static final Set<String> DETAIL_FIELDS = Set.of(
            "class",
            "driver",
            "adminAccess",
            "allowShared",
            "constraints",
            "maxDevices",
            "requests",
            "devices",
            "matchAttributes",
            "distinctAttributes",
            "configs",
            "config");

    public Detail {
        requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
        matchAttributes = List.copyOf(matchAttributes);
        distinctAttributes = List.copyOf(distinctAttributes);
        configs = List.copyOf(configs);
    }

    /** One device of the class. */
    public static Detail ofClass(String deviceClass) {
        return new Detail(
                Optional.of(deviceClass),
                Optional.empty(),
                false,
                false,
                Optional.empty(),
                OptionalInt.empty(),
                new TreeMap<>(),
                List.of(),
                List.of(),
                List.of());
    }

    /** How many devices are asked for, if it says. */
    public OptionalInt count() {
        Quantity count = requests.get(DEVICES);
        return count == null
                ? OptionalInt.empty()
                : OptionalInt.of(count.value().intValueExact());
    }

    /** What is requested of the devices beside their number. */
    public SortedMap<String, Quantity> amounts() {
        var amounts = new TreeMap<>(requests);
        amounts.remove(DEVICES);
        return Collections.unmodifiableSortedMap(amounts);
    }

    static Detail read(Field field) {
        var fields = field.fields();
        var detail = read(fields);
        fields.done();
        return detail;
    }

    /** The detail's fields among others. */
    static Detail read(Fields fields) {
        var requests = requests(fields);
        var max = Numbers.count(fields, "maxDevices");
        var detail = new Detail(
                fields.text("class"),
                fields.text("driver"),
                fields.flag("adminAccess"),
                fields.flag("allowShared"),
                fields.text("constraints"),
                max,
                requests,
                fields.texts("matchAttributes"),
                fields.texts("distinctAttributes"),
                ConfigReference.ofClaim(fields.items("configs", "config")));
        if (detail.deviceClass().isEmpty() && detail.driver().isEmpty()) {
            throw fields.problem("needs a class");
        }
        int least = detail.count().orElse(1);
        if (max.isPresent() && max.getAsInt() < least) {
            throw fields.problem("allows at most %d devices and needs at least %d".formatted(max.getAsInt(), least));
        }
        if (detail.allowShared() && detail.adminAccess()) {
            throw fields.problem("has both allowShared and adminAccess: what holds nothing shares nothing");
        }
        if (detail.allowShared() && detail.amounts().values().stream().allMatch(Quantity.ZERO::equals)) {
            throw fields.problem("has allowShared, and requests that do not say how much it takes");
        }
        return detail;
    }

    /** The oldest claims, which were one detail each. */
    static Detail readOldest(Fields fields) {
        var count = fields.find("minDeviceCount").map(Field::count).orElse(1);
        var detail = new Detail(
                fields.text("deviceClass"),
                fields.text("driver"),
                false,
                false,
                fields.text("constraints"),
                Numbers.count(fields, "maxDeviceCount"),
                new TreeMap<>(Map.of(DEVICES, Quantity.of(count))),
                fields.texts("matchAttributes"),
                fields.texts("distinctAttributes"),
                ConfigReference.ofClaim(fields.items("configs")));
        if (detail.deviceClass().isEmpty() && detail.driver().isEmpty()) {
            throw fields.problem("needs devices");
        }
        if (count < 1 || count > MOST_DEVICES || detail.maxDevices().orElse(count) < count) {
            throw fields.problem("asks for %d devices and at most %d"
                    .formatted(count, detail.maxDevices().orElse(count)));
        }
        return detail;
    }

    private static SortedMap<String, Quantity> requests(Fields fields) {
        var requests = new TreeMap<>(Numbers.amounts(fields, "requests"));
        fields.find("devices").ifPresent(field -> {
            var count = Quantity.of(field.count());
            var other = requests.put(DEVICES, count);
            if (other != null && !other.equals(count)) {
                throw field.problem("says " + count + " devices, and requests say " + other);
            }
        });
        Quantity count = requests.getOrDefault(DEVICES, Quantity.of(1));
        boolean whole = count.value().scale() <= 0;
        if (!whole || count.compareTo(Quantity.of(1)) < 0 || count.compareTo(Quantity.of(MOST_DEVICES)) > 0) {
            throw fields.problem("requests %s devices: a whole number from 1 to %d".formatted(count, MOST_DEVICES));
        }
        return requests;
    }

    /** The names of a detail's fields, in every spelling. */
    static boolean isDetailField(String name) {
        return DETAIL_FIELDS.contains(name);
    }

    ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        deviceClass.ifPresent(name -> json.put("class", name));
        driver.ifPresent(name -> json.put("driver", name));
        if (adminAccess) {
            json.put("adminAccess", true);
        }
        if (allowShared) {
            json.put("allowShared", true);
        }
        constraints.ifPresent(text -> json.put("constraints", text));
        maxDevices.ifPresent(count -> json.put("maxDevices", count));
        if (!requests.isEmpty()) {
            var amounts = json.putObject("requests");
            for (Map.Entry<String, Quantity> request : requests.entrySet()) {
                amounts.put(request.getKey(), Quantities.text(request.getValue()));
            }
        }
        matchAttributes.forEach(
                name -> json.withArrayProperty("matchAttributes").add(name));
        distinctAttributes.forEach(
                name -> json.withArrayProperty("distinctAttributes").add(name));
        configs.forEach(config -> json.withArrayProperty("configs").add(config.json()));
        return json;
    }
}
