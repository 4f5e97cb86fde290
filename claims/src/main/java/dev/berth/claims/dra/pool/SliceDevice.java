package dev.berth.claims.dra.pool;

import dev.berth.core.Attribute;
import dev.berth.core.Capacity;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Quantity;
import dev.berth.core.Reach;
import dev.berth.core.Taint;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequestPolicy;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** A device of a slice as the engine has it. */
public final class SliceDevice {
    /** Whose it is; no attribute of a slice can have this name. */
    private static final String DRIVER = "@driver";

    private static final int MOST_CARDS = 1 << 20;

    private SliceDevice() {}

    /** Whether the attribute is the engine's own, and none of the slice's. */
    public static boolean isOwn(String attribute) {
        return attribute.startsWith("@");
    }

    /** Whose device this is; nothing for one that is of no slice. */
    public static String driver(Device device) {
        return device.attributes().get(DRIVER) instanceof Attribute.Text(var driver) ? driver : "";
    }

    public static boolean is(Device device) {
        return device.attributes().containsKey(DRIVER);
    }

    public static String name(DeviceId id) {
        return id.value().substring(id.value().lastIndexOf('/') + 1);
    }

    static Device of(
            PoolId pool,
            io.fabric8.kubernetes.api.model.resource.v1.Device device,
            Reach reach,
            List<TaintRule> rules,
            String listing) {
        var attributes = attributes(pool.driver(), device);
        Map<String, Capacity> capacities = new HashMap<>();
        Given.map(device.getCapacity()).forEach((name, capacity) -> capacities.put(name, capacity(capacity)));
        Map<Counter, Quantity> draws = new HashMap<>();
        for (var consumed : Given.list(device.getConsumesCounters())) {
            Given.map(consumed.getCounters())
                    .forEach((name, counter) ->
                            draws.put(counter(pool, consumed.getCounterSet(), name), quantity(counter.getValue())));
        }
        List<Taint> taints = new ArrayList<>();
        Given.list(device.getTaints()).forEach(taint -> taints.add(taint(taint)));
        rules.stream().filter(rule -> rule.concerns(pool, device.getName())).forEach(rule -> taints.add(rule.taint()));
        return new Device(
                pool.device(device.getName()),
                reach,
                attributes,
                capacities,
                Given.flag(device.getAllowMultipleAllocations()),
                draws,
                taints,
                index(attributes.get(pool.driver() + "/index")),
                attributes.get(pool.driver() + "/uuid") instanceof Attribute.Text(var uuid)
                        ? Optional.of(uuid)
                        : Optional.empty(),
                listing);
    }

    private static OptionalInt index(@org.jspecify.annotations.Nullable Attribute attribute) {
        return attribute instanceof Attribute.Whole(long number) && number >= 0 && number < MOST_CARDS
                ? OptionalInt.of((int) number)
                : OptionalInt.empty();
    }

    /** By their full names: one without a domain is in its driver's. */
    private static Map<String, Attribute> attributes(
            String driver, io.fabric8.kubernetes.api.model.resource.v1.Device device) {
        Map<String, Attribute> attributes = new HashMap<>();
        attributes.put(DRIVER, new Attribute.Text(driver));
        var written = Given.map(device.getAttributes());
        written.forEach((name, value) -> attribute(value)
                .ifPresent(known -> attributes.put(name.contains("/") ? name : driver + "/" + name, known)));
        // A full name wins over the short one for the same.
        written.forEach((name, value) -> {
            if (name.contains("/")) {
                attribute(value).ifPresent(known -> attributes.put(name, known));
            }
        });
        return attributes;
    }

    private static Optional<Attribute> attribute(DeviceAttribute written) {
        return many(written.getInts(), Attribute.Whole::new)
                .or(() -> many(written.getBools(), Attribute.Flag::new))
                .or(() -> many(written.getStrings(), Attribute.Text::new))
                .or(() -> many(written.getVersions(), Attribute.Version::new))
                .or(() -> Optional.ofNullable(written.getInt()).map(Attribute.Whole::new))
                .or(() -> Optional.ofNullable(written.getBool()).map(Attribute.Flag::new))
                .or(() -> Optional.ofNullable(written.getString()).map(Attribute.Text::new))
                .or(() -> Optional.ofNullable(written.getVersion()).map(Attribute.Version::new));
    }

    private static <T> Optional<Attribute> many(
            @org.jspecify.annotations.Nullable List<T> written, Function<T, Attribute> one) {
        return Given.list(written).isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Attribute.Many(Given.list(written).stream().map(one).toList()));
    }

    static Capacity capacity(DeviceCapacity written) {
        var amount = quantity(written.getValue());
        var policy = Optional.ofNullable(written.getRequestPolicy());
        return new Capacity(amount, policy.map(given -> rule(given, amount)).orElse(Capacity.Rule.ANY));
    }

    private static Capacity.Rule rule(CapacityRequestPolicy policy, Quantity amount) {
        var fallback = optional(policy.getDefault()).orElse(amount);
        var range = policy.getValidRange();
        if (range != null) {
            return new Capacity.Rule.Range(
                    fallback,
                    optional(range.getMin()).orElse(Quantity.ZERO),
                    optional(range.getMax()),
                    optional(range.getStep()));
        }
        var values = Given.list(policy.getValidValues());
        return values.isEmpty()
                ? new Capacity.Rule.Range(fallback, Quantity.ZERO, Optional.empty(), Optional.empty())
                : new Capacity.Rule.OneOf(
                        fallback, values.stream().map(SliceDevice::quantity).toList());
    }

    private static Optional<Quantity> optional(
            io.fabric8.kubernetes.api.model.@org.jspecify.annotations.Nullable Quantity written) {
        return Optional.ofNullable(written).map(SliceDevice::quantity);
    }

    public static Quantity quantity(io.fabric8.kubernetes.api.model.Quantity written) {
        return Quantity.parse(written.toString());
    }

    static Counter counter(PoolId pool, String set, String name) {
        return new Counter(pool + "/" + set, name);
    }

    private static Taint taint(DeviceTaint written) {
        return new Taint(written.getKey(), Given.text(written.getValue()), effect(written.getEffect()));
    }

    /** An effect that is not known keeps nobody away. */
    static Taint.Effect effect(@org.jspecify.annotations.Nullable String written) {
        return switch (Given.text(written)) {
            case "NoSchedule" -> Taint.Effect.NO_SCHEDULE;
            case "NoExecute" -> Taint.Effect.NO_EXECUTE;
            default -> Taint.Effect.NONE;
        };
    }
}
