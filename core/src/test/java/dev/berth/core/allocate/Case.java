package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Capacity;
import dev.berth.core.Counter;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.Holdings;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.Shelf;
import dev.berth.core.Taint;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Draw;
import dev.berth.core.demand.Filter;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.demand.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A small random cluster, who holds what there, and a demand; it can make itself smaller. */
record Case(List<Shelf> shelves, Map<NodeName, List<Entry>> held, Demand demand) {
    static Case of(long seed) {
        return new Generator(new Random(seed)).make();
    }

    Inventory inventory() {
        var inventory = Inventory.EMPTY;
        for (var shelf : shelves) {
            inventory = inventory.with(shelf);
        }
        return inventory;
    }

    Ledger ledger() {
        var ledger = Ledger.EMPTY;
        for (var page : held.entrySet()) {
            ledger = ledger.with(page.getKey(), Holdings.of(page.getValue()));
        }
        return ledger;
    }

    /** The smallest case to be found by leaving halves out, that still fails. */
    Case shrunk(Predicate<Case> fails) {
        return smaller()
                .filter(fails)
                .findFirst()
                .map(smaller -> smaller.shrunk(fails))
                .orElse(this);
    }

    private Stream<Case> smaller() {
        var smaller = new ArrayList<Case>();
        for (var part : halves(shelves)) {
            smaller.add(new Case(part, held, demand));
        }
        for (int index = 0; index < shelves.size(); index++) {
            for (var part : halves(shelves.get(index).devices())) {
                var others = new ArrayList<>(shelves);
                others.set(
                        index,
                        new Shelf(
                                shelves.get(index).place(),
                                part,
                                shelves.get(index).counters()));
                smaller.add(new Case(others, held, demand));
            }
        }
        for (var asks : halves(demand.asks())) {
            smaller.add(new Case(shelves, held, new Demand("p", asks, demand.constraints(), NodeFit.ANY)));
        }
        for (var constraints : halves(demand.constraints())) {
            smaller.add(new Case(shelves, held, new Demand("p", demand.asks(), constraints, NodeFit.ANY)));
        }
        held.forEach((node, entries) -> {
            for (var part : halves(entries)) {
                var others = new HashMap<>(held);
                others.put(node, part);
                smaller.add(new Case(shelves, others, demand));
            }
        });
        return smaller.stream();
    }

    private static <T> List<List<T>> halves(List<T> whole) {
        if (whole.isEmpty()) {
            return List.of();
        }
        int middle = (whole.size() + 1) / 2;
        var halves = new ArrayList<List<T>>();
        halves.add(whole.subList(middle, whole.size()));
        halves.add(whole.subList(0, whole.size() - 1));
        halves.add(whole.subList(1, whole.size()));
        return halves;
    }

    private record Generator(Random random) {
        Case make() {
            var shelves = new ArrayList<Shelf>();
            var held = new HashMap<NodeName, List<Entry>>();
            int nodes = 1 + random.nextInt(2);
            for (int index = 0; index < nodes; index++) {
                var node = new NodeName("n" + index);
                var shelf = shelf(node);
                shelves.add(shelf);
                held.put(node, held(shelf));
            }
            return new Case(shelves, held, demand());
        }

        private Shelf shelf(NodeName node) {
            var counters = new HashMap<Counter, Quantity>();
            int sets = random.nextInt(3);
            for (int set = 0; set < sets; set++) {
                counters.put(new Counter(node + "-" + set, "slices"), Quantity.of(1 + random.nextInt(4)));
            }
            var devices = new ArrayList<Device>();
            int count = 1 + random.nextInt(5);
            for (int index = 0; index < count; index++) {
                devices.add(device(node, "d" + index, sets));
            }
            return new Shelf(node, devices, counters);
        }

        private Device device(NodeName node, String id, int sets) {
            var attributes = new HashMap<String, Attribute>();
            if (random.nextInt(8) > 0) {
                attributes.put("numa", new Attribute.Text("" + random.nextInt(2)));
            }
            attributes.put("model", new Attribute.Text(random.nextBoolean() ? "x" : "y"));
            attributes.put("links", links());
            var device = new Device(new DeviceId(id), node)
                    .withAttributes(attributes)
                    .withCapacities(Map.of("memory", capacity()));
            if (random.nextInt(3) == 0) {
                device = device.inParts();
            }
            if (sets > 0 && random.nextBoolean()) {
                device = device.drawing(Map.of(
                        new Counter(node + "-" + random.nextInt(sets), "slices"), Quantity.of(1 + random.nextInt(2))));
            }
            return random.nextInt(10) == 0
                    ? device.withTaints(List.of(new Taint("broken", "", Taint.Effect.NO_SCHEDULE)))
                    : device;
        }

        private Attribute links() {
            var first = new Attribute.Text("" + random.nextInt(3));
            return random.nextInt(3) == 0
                    ? new Attribute.Many(List.of(first, new Attribute.Text("" + random.nextInt(3))))
                    : first;
        }

        private Capacity capacity() {
            var amount = Quantity.of(random.nextInt(7));
            return new Capacity(amount, new Capacity.Rule.Blocks(Quantity.of(1 + random.nextInt(2))));
        }

        private List<Entry> held(Shelf shelf) {
            var entries = new ArrayList<Entry>();
            for (var device : shelf.devices()) {
                if (random.nextInt(5) == 0) {
                    entries.add(Devices.held(
                            device.id().value(),
                            "holder",
                            device.shareable() && random.nextBoolean()
                                    ? new Share.Part(Map.of("memory", Quantity.of(1)))
                                    : Share.WHOLE));
                }
            }
            return entries;
        }

        private Demand demand() {
            var asks = new ArrayList<Ask>();
            int count = 1 + random.nextInt(3);
            for (int index = 0; index < count; index++) {
                var choices = new ArrayList<Choice>();
                choices.add(choice().named("first"));
                if (random.nextInt(3) == 0) {
                    choices.add(choice().named("second"));
                }
                asks.add(new Ask("a" + index, choices));
            }
            var constraints = new ArrayList<Constraint>();
            for (int more = random.nextInt(3); more > 0; more--) {
                constraints.add(constraint());
            }
            return new Demand("p", asks, constraints, NodeFit.ANY);
        }

        private Choice choice() {
            Filter filter = random.nextInt(3) == 0 ? new Devices.Having("model", "x") : Filter.EVERY;
            var choice = Choice.of(filter, count());
            if (random.nextInt(3) == 0) {
                choice = choice.drawing(new Draw.AtLeast(
                        random.nextBoolean() ? Map.of() : Map.of("memory", Quantity.of(1 + random.nextInt(3)))));
            }
            if (random.nextInt(12) == 0) {
                choice = choice.asAdmin();
            }
            return random.nextInt(4) == 0 ? choice.tolerating(List.of(Toleration.EVERYTHING)) : choice;
        }

        private Count count() {
            return switch (random.nextInt(8)) {
                case 0 -> Count.ALL;
                case 1, 2 -> {
                    var amounts = new TreeMap<String, Quantity>();
                    amounts.put("memory", Quantity.of(1 + random.nextInt(8)));
                    int least = 1 + random.nextInt(2);
                    yield new Count.Together(least, least + random.nextInt(3), amounts);
                }
                default -> new Count.Exactly(1 + random.nextInt(3));
            };
        }

        private Constraint constraint() {
            Set<String> asks = random.nextBoolean() ? Set.of() : Set.of("a0", "a1/first");
            return switch (random.nextInt(6)) {
                case 4 -> new Constraint.AtMost(1 + random.nextInt(4), asks);
                case 5 -> new Constraint.Apart(asks);
                case 0 -> new Constraint.Same("numa", asks);
                case 1 -> new Constraint.Same("links", asks);
                case 2 -> new Constraint.Distinct("links", asks);
                default -> new Constraint.Same("model", asks);
            };
        }
    }
}
