package dev.berth.claims.demand;

import dev.berth.claims.cel.Expression;
import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.demand.Filter;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Devices of one of these drivers that meet all constraints.
 *
 * @param drivers all of them when empty
 */
record ClassFilter(Set<String> drivers, List<Expression> constraints) implements Filter {
    ClassFilter {
        drivers = Set.copyOf(drivers);
        constraints = List.copyOf(constraints);
    }

    @Override
    public Optional<String> refuses(Device device) {
        String driver = PoolDevices.driver(device);
        if (!drivers.isEmpty() && !drivers.contains(driver)) {
            return Optional.of("is managed by %s, not by %s".formatted(driver, String.join(" or ", drivers)));
        }
        if (constraints.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Attribute> attributes = new TreeMap<>(device.attributes());
        attributes.remove(PoolDevices.DRIVER);
        return constraints.stream()
                .flatMap(constraint -> constraint.refuses(attributes).stream())
                .findFirst();
    }

    @Override
    public Optional<Set<String>> reads() {
        Set<String> all = new HashSet<>();
        all.add(PoolDevices.DRIVER);
        for (Expression constraint : constraints) {
            if (constraint.reads().isEmpty()) {
                return Optional.empty();
            }
            all.addAll(constraint.reads().get());
        }
        return Optional.of(Set.copyOf(all));
    }

    /** A device that any of several filters takes; what the first says against it is told. */
    record Any(List<Filter> filters) implements Filter {
        Any {
            filters = List.copyOf(filters);
        }

        static Filter of(List<Filter> filters) {
            return filters.size() == 1 ? filters.getFirst() : new Any(filters);
        }

        @Override
        public Optional<String> refuses(Device device) {
            Optional<String> first = Optional.empty();
            for (Filter filter : filters) {
                Optional<String> refusal = filter.refuses(device);
                if (refusal.isEmpty()) {
                    return refusal;
                }
                first = first.or(() -> refusal);
            }
            return first;
        }

        @Override
        public Optional<Set<String>> reads() {
            Set<String> all = new HashSet<>();
            for (Filter filter : filters) {
                if (filter.reads().isEmpty()) {
                    return Optional.empty();
                }
                all.addAll(filter.reads().get());
            }
            return Optional.of(Set.copyOf(all));
        }
    }
}
