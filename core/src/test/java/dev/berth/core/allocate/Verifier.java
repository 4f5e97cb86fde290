package dev.berth.core.allocate;

import dev.berth.core.Capacity;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.Entry;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.Shelf;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Draw;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks a placement against what was promised, knowing nothing of how it was found. */
final class Verifier {
    private final Shelf shelf;
    private final List<Entry> held;
    private final Demand demand;

    Verifier(Shelf shelf, List<Entry> held, Demand demand) {
        this.shelf = shelf;
        this.held = held;
        this.demand = demand;
    }

    /** What is wrong with it, if anything is. */
    Optional<String> complaint(Placement placement) {
        for (var grant : placement.grants()) {
            if (!shelf.devices().contains(grant.device())) {
                return Optional.of(
                        "%s is not on the node".formatted(grant.device().id()));
            }
        }
        for (var ask : demand.asks()) {
            var grants = placement.of(ask.name());
            var names = grants.stream().map(Grant::choice).distinct().toList();
            if (names.size() != 1) {
                return Optional.of("%s got devices of the choices %s".formatted(ask.name(), names));
            }
            var choice = ask.choices().stream()
                    .filter(some -> some.name().equals(names.getFirst()))
                    .findFirst()
                    .orElseThrow();
            var complaint = count(ask.name(), choice, grants);
            if (complaint.isPresent()) {
                return complaint;
            }
        }
        return overHeld(placement).or(() -> overdrawn(placement)).or(() -> broken(placement));
    }

    private Optional<String> count(String ask, Choice choice, List<Grant> grants) {
        if (grants.stream().map(grant -> grant.device().id()).distinct().count() != grants.size()) {
            return Optional.of("%s got a device twice".formatted(ask));
        }
        for (var grant : grants) {
            if (choice.filter().refuses(grant.device()).isPresent()) {
                return Optional.of(
                        "%s does not suit %s".formatted(grant.device().id(), ask));
            }
        }
        return switch (choice.count()) {
            case Count.Exactly(int devices) ->
                grants.size() == devices ? Optional.empty() : Optional.of(ask + " got " + grants.size() + " devices");
            case Count.All() ->
                shelf.devices().stream()
                        .filter(device -> choice.filter().refuses(device).isEmpty()
                                && device.taints().isEmpty())
                        .filter(device -> !(choice.draw() instanceof Draw.AtLeast))
                        .filter(device -> grants.stream()
                                .noneMatch(grant -> grant.device().equals(device)))
                        .map(device -> "%s did not get %s".formatted(ask, device.id()))
                        .findFirst();
            case Count.Together together -> enough(ask, together, grants);
        };
    }

    private static Optional<String> enough(String ask, Count.Together together, List<Grant> grants) {
        if (grants.size() < together.least() || grants.size() > together.most()) {
            return Optional.of(ask + " got " + grants.size() + " devices");
        }
        for (var wanted : together.amounts().entrySet()) {
            var sum = Quantity.ZERO;
            for (var grant : grants) {
                sum = sum.plus(
                        switch (grant.share()) {
                            case Share.Whole() ->
                                capacity(grant.device(), wanted.getKey()).amount();
                            case Share.Part(var amounts) -> amounts.getOrDefault(wanted.getKey(), Quantity.ZERO);
                        });
            }
            if (sum.compareTo(wanted.getValue()) < 0) {
                return Optional.of("%s got %s of %s".formatted(ask, sum, wanted.getValue()));
            }
        }
        return Optional.empty();
    }

    private static Capacity capacity(Device device, String name) {
        return device.capacities().getOrDefault(name, Capacity.of(Quantity.ZERO));
    }

    private Optional<String> overHeld(Placement placement) {
        for (var device : shelf.devices()) {
            var shares = new ArrayList<Share>();
            held.stream()
                    .filter(entry -> entry.device().equals(device.id()))
                    .forEach(entry -> shares.add(entry.share()));
            int before = shares.size();
            placement.grants().stream()
                    .filter(grant -> grant.device().equals(device) && !grant.admin())
                    .forEach(grant -> shares.add(grant.share()));
            if (shares.size() > before && overHeld(device, shares)) {
                return Optional.of("%s is over-held: %s".formatted(device.id(), shares));
            }
        }
        return Optional.empty();
    }

    private static boolean overHeld(Device device, List<Share> shares) {
        if (shares.size() > 1 && shares.stream().anyMatch(Share.Whole.class::isInstance)) {
            return true;
        }
        var sum = Quantity.ZERO;
        for (var share : shares) {
            if (share instanceof Share.Part(var amounts)) {
                sum = sum.plus(amounts.getOrDefault("memory", Quantity.ZERO));
            }
        }
        return sum.compareTo(capacity(device, "memory").amount()) > 0;
    }

    private Optional<String> overdrawn(Placement placement) {
        var touched = new HashSet<>(held.stream().map(Entry::device).toList());
        var added = new HashSet<Counter>();
        for (var grant : placement.grants()) {
            if (!grant.admin() && touched.add(grant.device().id())) {
                added.addAll(grant.device().draws().keySet());
            }
        }
        var drawn = new HashMap<Counter, Quantity>();
        shelf.devices().stream()
                .filter(device -> touched.contains(device.id()))
                .forEach(device ->
                        device.draws().forEach((counter, amount) -> drawn.merge(counter, amount, Quantity::plus)));
        return added.stream()
                .filter(counter -> drawn.getOrDefault(counter, Quantity.ZERO)
                                .compareTo(shelf.counters().getOrDefault(counter, Quantity.ZERO))
                        > 0)
                .map(counter -> counter + " is overdrawn")
                .findFirst();
    }

    private Optional<String> broken(Placement placement) {
        for (var constraint : demand.constraints()) {
            var devices = new ArrayList<Device>();
            for (var ask : demand.asks()) {
                for (var choice : ask.choices()) {
                    if (constraint.concerns(ask, choice)) {
                        placement.of(ask.name()).stream()
                                .filter(grant -> grant.choice().equals(choice.name()))
                                .forEach(grant -> devices.add(grant.device()));
                    }
                }
            }
            if (!holds(constraint, devices)) {
                return Optional.of(constraint + " is broken");
            }
        }
        return Optional.empty();
    }

    private static boolean holds(Constraint constraint, List<Device> devices) {
        for (var one : devices) {
            var values = Question.values(constraint, one);
            for (var other : devices) {
                var others = Question.values(constraint, other);
                boolean share = values.stream().anyMatch(others::contains);
                boolean good = switch (constraint) {
                    case Constraint.Same _ -> share; // pairwise: weaker than one value common to all
                    case Constraint.Distinct _ -> one.equals(other) || (!share && !values.isEmpty());
                    case Constraint.SameNode _ -> true;
                    case Constraint.Apart _ -> one.equals(other) || !share;
                    case Constraint.AtMost(int most, Set<String> _) -> devices.size() <= most;
                };
                if (!good) {
                    return false;
                }
            }
        }
        return true;
    }
}
