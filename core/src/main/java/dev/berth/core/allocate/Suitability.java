package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which devices of a node suit which choice, whoever holds them. It stays true while the node's list of devices does.
 */
final class Suitability {
    /** Why a device does not suit a choice, if it does not. */
    enum Fault {
        NONE,
        UNSUITED,
        TAINTED,
        NOT_LOCAL
    }

    private final Fault[][] faults;
    private final List<List<Set<Attribute>>> values;
    private final Blocks blocks;
    private final int[] looks;
    private final int shape;

    /** @param shared whether network devices are among them, so that two nodes are alike only with equal values */
    Suitability(Question question, List<Slot> slots, boolean shared, Filters filters, Numbering numbering) {
        faults = new Fault[question.choices().size()][slots.size()];
        values = new ArrayList<>();
        for (var constraint : question.constraints()) {
            values.add(slots.stream()
                    .map(slot -> Question.values(constraint, slot.device()))
                    .toList());
        }
        for (var numbered : question.choices()) {
            for (int slot = 0; slot < slots.size(); slot++) {
                faults[numbered.number()][slot] = fault(question, numbered, slots.get(slot), filters);
            }
        }
        blocks = new Blocks(slots);
        looks = new int[slots.size()];
        var outline = new ArrayList<>();
        for (int slot = 0; slot < slots.size(); slot++) {
            looks[slot] = numbering.of(look(question, slots.get(slot), slot));
            outline.add(shared ? looks[slot] : numbering.of(bareLook(question, slots.get(slot), slot)));
            outline.add(blocks.of(slot));
        }
        if (!shared) {
            outline.add(pattern(slots.size()));
        }
        shape = numbering.of(outline);
    }

    private Fault fault(Question question, Question.Numbered numbered, Slot slot, Filters filters) {
        var choice = numbered.choice();
        if (filters.refuses(choice.filter(), slot.device()).isPresent()) {
            return Fault.UNSUITED;
        }
        if (tainted(slot.device(), choice)) {
            return Fault.TAINTED;
        }
        for (int index = 0; index < question.constraints().size(); index++) {
            if (question.concerns(index, numbered.number())
                    && question.constraints().get(index) instanceof Constraint.SameNode
                    && slot.network()) {
                return Fault.NOT_LOCAL;
            }
        }
        return Fault.NONE;
    }

    private static boolean tainted(Device device, Choice choice) {
        return device.taints().stream()
                .filter(taint -> taint.keepsAway())
                .anyMatch(taint -> choice.tolerations().stream().noneMatch(toleration -> toleration.tolerates(taint)));
    }

    /** All that can make a difference between two free devices of one node. */
    private List<Object> look(Question question, Slot device, int slot) {
        var look = bareLook(question, device, slot);
        values.forEach(ofConstraint -> look.add(ofConstraint.get(slot)));
        return look;
    }

    private List<Object> bareLook(Question question, Slot device, int slot) {
        var look = new ArrayList<>();
        for (var ofChoice : faults) {
            look.add(ofChoice[slot]);
        }
        look.add(device.device().shareable());
        if (question.weighsCapacities()) {
            look.add(device.device().capacities());
        }
        look.add(blocks.draws(device, slot));
        return look;
    }

    /**
     * Which devices agree in which values, whatever these are: two nodes may have different ones in the same pattern.
     */
    private List<Object> pattern(int slots) {
        var pattern = new ArrayList<>();
        for (var ofConstraint : values) {
            var seen = new Numbering();
            for (int slot = 0; slot < slots; slot++) {
                pattern.add(
                        ofConstraint.get(slot).stream().map(seen::of).sorted().toList());
            }
        }
        return pattern;
    }

    Fault fault(int choice, int slot) {
        return faults[choice][slot];
    }

    boolean suits(int choice, int slot) {
        return faults[choice][slot] == Fault.NONE;
    }

    Set<Attribute> values(int constraint, int slot) {
        return values.get(constraint).get(slot);
    }

    Blocks blocks() {
        return blocks;
    }

    /** A number for all that can make a difference between two free devices. */
    int look(int slot) {
        return looks[slot];
    }

    /** A number for all that can make a difference between two nodes on which nothing is held. */
    int shape() {
        return shape;
    }

    /** What filters said before, so that each is asked once about devices that look the same to it. */
    interface Filters {
        Optional<String> refuses(Filter filter, Device device);
    }
}
