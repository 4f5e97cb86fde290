package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Capacity;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.Shelf;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Draw;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The same question answered by trying everything in order, with no cleverness that could be wrong: written apart from
 * the engine, from what the words of a demand promise.
 */
final class BruteForce {
    private final Shelf shelf;
    private final List<Entry> held;
    private final Demand demand;

    BruteForce(Shelf shelf, List<Entry> held, Demand demand) {
        this.shelf = shelf;
        this.held = held;
        this.demand = demand;
    }

    /** One device given to a choice. */
    record Given(int ask, Choice choice, Device device, Share share) {}

    /** The first answer in order, if there is one. */
    Optional<List<Given>> first() {
        return from(0, List.of());
    }

    private Optional<List<Given>> from(int ask, List<Given> so) {
        if (ask == demand.asks().size()) {
            return Optional.of(so);
        }
        for (var choice : demand.asks().get(ask).choices()) {
            for (var way : ways(ask, choice, so)) {
                var found = from(ask + 1, way);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private List<List<Given>> ways(int ask, Choice choice, List<Given> so) {
        var suitable =
                shelf.devices().stream().filter(device -> suits(choice, device)).toList();
        return switch (choice.count()) {
            case Count.Exactly(int devices) -> exactly(ask, choice, so, suitable, devices);
            case Count.All() -> all(ask, choice, so);
            case Count.Together together -> {
                var ways = new ArrayList<List<Given>>();
                for (int devices = together.least(); devices <= together.most(); devices++) {
                    for (var set : subsets(suitable, devices)) {
                        ways.addAll(splits(ask, choice, together, so, set));
                    }
                }
                yield ways;
            }
        };
    }

    private List<List<Given>> all(int ask, Choice choice, List<Given> so) {
        var wanted = shelf.devices().stream()
                .filter(device -> choice.filter().refuses(device).isEmpty() && !tooSmall(choice, device))
                .toList();
        boolean tainted = shelf.devices().stream()
                .anyMatch(device -> choice.filter().refuses(device).isEmpty() && !suits(choice, device));
        return wanted.isEmpty() || tainted ? List.of() : exactly(ask, choice, so, wanted, wanted.size());
    }

    private boolean tooSmall(Choice choice, Device device) {
        if (choice.admin() || !(choice.draw() instanceof Draw.AtLeast(var amounts))) {
            return false;
        }
        boolean whole = held.stream()
                .anyMatch(entry -> entry.device().equals(device.id()) && entry.share() instanceof Share.Whole);
        if (whole) {
            return false;
        }
        if (!device.capacities().keySet().containsAll(amounts.keySet())) {
            return true;
        }
        var wanted = amounts.getOrDefault("memory", Quantity.ZERO);
        return device.shareable()
                ? memory(device).taken(Optional.of(wanted)).orElseThrow().compareTo(left(device, List.of())) > 0
                : memory(device).amount().compareTo(wanted) < 0;
    }

    private List<List<Given>> exactly(int ask, Choice choice, List<Given> so, List<Device> suitable, int count) {
        var ways = new ArrayList<List<Given>>();
        for (var set : subsets(suitable, count)) {
            var way = new ArrayList<>(so);
            boolean possible = true;
            for (var device : set) {
                var share = share(device, choice, way);
                possible &= share.isPresent();
                share.ifPresent(some -> way.add(new Given(ask, choice, device, some)));
            }
            if (possible && allowed(way)) {
                ways.add(way);
            }
        }
        return ways;
    }

    /** Every way to take the amounts from these devices beyond what each must give, the earlier ones giving more. */
    private List<List<Given>> splits(
            int ask, Choice choice, Count.Together together, List<Given> so, List<Device> set) {
        var missing = together.amounts().getOrDefault("memory", Quantity.ZERO);
        var least = new ArrayList<Given>();
        for (var device : set) {
            boolean parts = parts(choice, device);
            var share = share(device, parts ? atLeastOfGathered(choice) : choice, so);
            var useful = parts
                    ? memory(device).usable(left(device, so))
                    : memory(device).amount();
            if (share.isEmpty() || useful.compareTo(Quantity.ZERO) <= 0) {
                return List.of();
            }
            least.add(new Given(ask, choice, device, share.get()));
            missing = missing.minus(
                    switch (share.get()) {
                        case Share.Whole() -> memory(device).amount();
                        case Share.Part(var amounts) -> amounts.getOrDefault("memory", Quantity.ZERO);
                    });
        }
        var ways = new ArrayList<List<Given>>();
        split(missing, so, least, 0, ways);
        return ways;
    }

    private static boolean parts(Choice choice, Device device) {
        return choice.draw() instanceof Draw.AtLeast && device.shareable() && !choice.admin();
    }

    private void split(Quantity missing, List<Given> so, List<Given> least, int index, List<List<Given>> ways) {
        if (index == least.size()) {
            if (missing.compareTo(Quantity.ZERO) <= 0 && allowed(so)) {
                ways.add(so);
            }
            return;
        }
        var given = least.get(index);
        var way = new ArrayList<>(so);
        if (!(given.share() instanceof Share.Part(var amounts))) {
            way.add(given);
            split(missing, way, least, index + 1, ways);
            return;
        }
        var base = amounts.getOrDefault("memory", Quantity.ZERO);
        var capacity = memory(given.device());
        var block = capacity.taken(Optional.of(Quantity.parse("1m"))).orElseThrow();
        var most = capacity.usable(left(given.device(), so).minus(base));
        for (var extra = most; extra.compareTo(Quantity.ZERO) >= 0; extra = extra.minus(block)) {
            boolean needed = missing.minus(extra).plus(block).compareTo(Quantity.ZERO) > 0;
            if (needed || extra.equals(Quantity.ZERO)) { // nobody gives a block that is not needed
                var more = new ArrayList<>(so);
                more.add(new Given(given.ask(), given.choice(), given.device(), part(base.plus(extra))));
                split(missing.minus(extra), more, least, index + 1, ways);
            }
        }
    }

    private static Choice atLeastOfGathered(Choice choice) {
        var amounts = new TreeMap<String, Quantity>();
        amounts.put("memory", Quantity.ZERO);
        if (choice.draw() instanceof Draw.AtLeast(var named)) {
            amounts.putAll(named);
        }
        return choice.drawing(new Draw.AtLeast(amounts));
    }

    private static Share part(Quantity memory) {
        return new Share.Part(memory.equals(Quantity.ZERO) ? Map.of() : Map.of("memory", memory));
    }

    private static Capacity memory(Device device) {
        return device.capacities().getOrDefault("memory", Capacity.of(Quantity.ZERO));
    }

    private boolean suits(Choice choice, Device device) {
        return choice.filter().refuses(device).isEmpty()
                && device.taints().stream()
                        .allMatch(taint -> choice.tolerations().stream().anyMatch(some -> some.tolerates(taint)));
    }

    private Optional<Share> share(Device device, Choice choice, List<Given> so) {
        if (choice.admin()) {
            return Optional.of(Share.WHOLE);
        }
        boolean untouched = held.stream().noneMatch(entry -> entry.device().equals(device.id()))
                && so.stream()
                        .noneMatch(given ->
                                given.device().equals(device) && !given.choice().admin());
        boolean whole = held.stream()
                        .anyMatch(entry -> entry.device().equals(device.id()) && entry.share() instanceof Share.Whole)
                || so.stream()
                        .anyMatch(given -> given.device().equals(device)
                                && !given.choice().admin()
                                && given.share() instanceof Share.Whole);
        return switch (choice.draw()) {
            case Draw.Whole() -> untouched ? Optional.of(Share.WHOLE) : Optional.empty();
            case Draw.AtLeast(var amounts) -> {
                var wanted = amounts.getOrDefault("memory", Quantity.ZERO);
                var capacity = memory(device);
                if (!device.shareable()) {
                    yield untouched && capacity.amount().compareTo(wanted) >= 0
                            ? Optional.of(Share.WHOLE)
                            : Optional.empty();
                }
                var taken = capacity.taken(Optional.of(wanted)).orElseThrow();
                yield !whole && taken.compareTo(left(device, so)) <= 0 ? Optional.of(part(taken)) : Optional.empty();
            }
        };
    }

    private Quantity left(Device device, List<Given> so) {
        var left = memory(device).amount();
        for (var entry : held) {
            if (entry.device().equals(device.id()) && entry.share() instanceof Share.Part(var amounts)) {
                left = left.minus(amounts.getOrDefault("memory", Quantity.ZERO));
            }
        }
        for (var given : so) {
            if (given.device().equals(device) && given.share() instanceof Share.Part(var amounts)) {
                left = left.minus(amounts.getOrDefault("memory", Quantity.ZERO));
            }
        }
        return left;
    }

    /** Counters are not overdrawn and constraints hold. */
    private boolean allowed(List<Given> so) {
        var drawn = new HashMap<Counter, Quantity>();
        var touched = new HashSet<DeviceId>();
        held.forEach(entry -> touched.add(entry.device()));
        so.stream()
                .filter(given -> !given.choice().admin())
                .forEach(given -> touched.add(given.device().id()));
        shelf.devices().stream()
                .filter(device -> touched.contains(device.id()))
                .forEach(device ->
                        device.draws().forEach((counter, amount) -> drawn.merge(counter, amount, Quantity::plus)));
        // What others drew before is theirs, even if it is too much: only a device that is newly taken must fit.
        boolean counted = so.stream()
                .filter(given -> !given.choice().admin())
                .filter(given -> held.stream()
                        .noneMatch(entry -> entry.device().equals(given.device().id())))
                .flatMap(given -> given.device().draws().keySet().stream())
                .allMatch(counter -> drawn.getOrDefault(counter, Quantity.ZERO)
                                .compareTo(shelf.counters().getOrDefault(counter, Quantity.of(-1)))
                        <= 0);
        return counted && demand.constraints().stream().allMatch(constraint -> holds(constraint, so));
    }

    private boolean holds(Constraint constraint, List<Given> so) {
        var sets = new ArrayList<Set<Attribute>>();
        for (var given : so) {
            if (constraint.concerns(demand.asks().get(given.ask()), given.choice())) {
                sets.add(Question.values(constraint, given.device()));
            }
        }
        return switch (constraint) {
            case Constraint.SameNode _ -> true;
            case Constraint.AtMost(int devices, Set<String> _) -> sets.size() <= devices;
            case Constraint.Apart _ -> {
                var seen = new HashSet<Attribute>();
                boolean apart = true;
                for (var set : sets) {
                    apart &= set.stream().noneMatch(seen::contains);
                    seen.addAll(set);
                }
                yield apart;
            }
            case Constraint.Same _ -> {
                var common = new HashSet<>(sets.isEmpty() ? Set.of() : sets.getFirst());
                sets.forEach(common::retainAll);
                yield sets.isEmpty() || !common.isEmpty();
            }
            case Constraint.Distinct _ -> {
                var seen = new HashSet<Attribute>();
                boolean distinct = true;
                for (var set : sets) {
                    distinct &= !set.isEmpty() && set.stream().noneMatch(seen::contains);
                    seen.addAll(set);
                }
                yield distinct;
            }
        };
    }

    /** All sets of so many, in the order of the list. */
    private static List<List<Device>> subsets(List<Device> from, int count) {
        if (count == 0) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<Device>>();
        for (int index = 0; index + count <= from.size(); index++) {
            for (var rest : subsets(from.subList(index + 1, from.size()), count - 1)) {
                var set = new ArrayList<Device>();
                set.add(from.get(index));
                set.addAll(rest);
                all.add(set);
            }
        }
        return all;
    }
}
