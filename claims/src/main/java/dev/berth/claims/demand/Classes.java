package dev.berth.claims.demand;

import dev.berth.claims.api.Detail;
import dev.berth.claims.api.DeviceClass;
import dev.berth.claims.api.DeviceClass.Definition;
import dev.berth.claims.api.DeviceDriver;
import dev.berth.claims.cel.Expression;
import dev.berth.core.demand.Filter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/** The classes there are, and what a claim that names one of them may get. Immutable. */
public final class Classes {
    private final Map<String, DeviceClass> byName = new TreeMap<>();
    private final Map<String, List<String>> driverTypes = new TreeMap<>();

    public Classes(Collection<DeviceClass> classes, Collection<DeviceDriver> drivers) {
        classes.forEach(each -> byName.put(each.name(), each));
        drivers.forEach(driver -> driverTypes.put(driver.name(), driver.deviceTypes()));
    }

    /** A class with a definition, as one detail of a claim uses it. */
    record Leaf(Optional<String> className, Definition definition, Filter filter) {}

    /**
     * The classes that may serve the detail: the one it names, or those that this one selects.
     *
     * @throws UnmetException if there is none
     */
    List<Leaf> leaves(Detail detail) throws UnmetException {
        if (detail.deviceClass().isEmpty()) {
            return List.of(leaf(detail, Optional.empty(), NO_DEFINITION));
        }
        String name = detail.deviceClass().get();
        DeviceClass named = byName.get(name);
        if (named == null) {
            throw new UnmetException("the class %s does not exist".formatted(name));
        }
        List<Leaf> leaves = new ArrayList<>();
        switch (named.spec()) {
            case Definition definition -> leaves.add(leaf(detail, Optional.of(name), definition));
            case DeviceClass.Selecting(var selector) -> {
                for (DeviceClass each : byName.values()) {
                    if (each.spec() instanceof Definition definition
                            && selector.matches(each.metadata().labels())) {
                        leaves.add(leaf(detail, Optional.of(each.name()), definition));
                    }
                }
            }
        }
        if (leaves.isEmpty()) {
            throw new UnmetException(
                    "the class %s selects classes by label, and none has these labels".formatted(name));
        }
        return List.copyOf(leaves);
    }

    private static final Definition NO_DEFINITION = new Definition(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            List.of(),
            List.of());

    private Leaf leaf(Detail detail, Optional<String> name, Definition definition) throws UnmetException {
        List<Expression> constraints = new ArrayList<>();
        definition.constraints().map(Expression::of).ifPresent(constraints::add);
        detail.constraints().map(Expression::of).ifPresent(constraints::add);
        Set<String> drivers = drivers(definition);
        if (detail.driver().isPresent()) {
            drivers = drivers.isEmpty() || drivers.contains(detail.driver().get())
                    ? Set.of(detail.driver().get())
                    : Set.of("");
        }
        if (definition.deviceType().isPresent() && drivers.isEmpty()) {
            throw new UnmetException("no DeviceDriver manages devices of the type "
                    + definition.deviceType().get());
        }
        return new Leaf(name, definition, new ClassFilter(drivers, constraints));
    }

    /** The drivers that a class means: the one it names, or every one that manages its type of device. */
    private Set<String> drivers(Definition definition) {
        if (definition.driver().isPresent()) {
            return Set.of(definition.driver().get());
        }
        if (definition.deviceType().isEmpty()) {
            return Set.of();
        }
        String type = definition.deviceType().get();
        Set<String> drivers = new HashSet<>();
        driverTypes.forEach((driver, types) -> {
            if (types.contains(type)) {
                drivers.add(driver);
            }
        });
        return drivers;
    }
}
