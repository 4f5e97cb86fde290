package dev.berth.core.allocate;

import dev.berth.core.Capacity;
import dev.berth.core.Counter;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Draw;
import dev.berth.core.policy.DeviceView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is left of a node's devices while a search takes from them and puts back. */
final class Board {
    private final List<Slot> slots;
    private final Blocks blocks;
    private final int[] blockLooks;
    private final boolean[] untouched;
    private final boolean[] whole;
    private final boolean[] ours;
    private final int[] oursInBlock;
    private final List<Map<String, Quantity>> left;
    private final Map<Counter, Quantity> counters;

    Board(NodeState node, Suitability suitability, Numbering numbering) {
        slots = node.slots();
        blocks = suitability.blocks();
        untouched = new boolean[slots.size()];
        whole = new boolean[slots.size()];
        ours = new boolean[slots.size()];
        oursInBlock = new int[blocks.count()];
        left = new ArrayList<>(slots.size());
        for (int slot = 0; slot < slots.size(); slot++) {
            untouched[slot] = slots.get(slot).untouched();
            whole[slot] = slots.get(slot).whole();
            left.add(slots.get(slot).left());
        }
        counters = new HashMap<>(node.counters());
        blockLooks = new int[blocks.count()];
        for (int block = 0; block < blocks.count(); block++) {
            blockLooks[block] = numbering.of(blockLook(block, suitability));
        }
    }

    private List<Object> blockLook(int block, Suitability suitability) {
        var look = new ArrayList<>();
        for (int slot : blocks.members(block)) {
            look.add(suitability.look(slot));
            look.add(condition(slot));
        }
        if (!blocks.sets(block).isEmpty()) {
            var sets = blocks.sets(block);
            var amounts = new TreeMap<String, Quantity>();
            counters.forEach((counter, amount) -> {
                int set = sets.indexOf(counter.set());
                if (set >= 0) {
                    amounts.put(set + "/" + counter.name(), amount);
                }
            });
            look.add(amounts);
        }
        return look;
    }

    private Object condition(int slot) {
        return untouched[slot] ? "free" : whole[slot] ? "held" : left.get(slot);
    }

    /** The conditions of all devices, for comparing nodes. */
    List<Object> conditions() {
        var all = new ArrayList<>();
        for (int block = 0; block < blocks.count(); block++) {
            all.add(blockLooks[block]);
        }
        return all;
    }

    /** What the choice would take of a device; nothing when it cannot have it. */
    Optional<Share> share(int slot, Choice choice) {
        if (choice.admin()) {
            return Optional.of(Share.WHOLE);
        }
        if (!countersAllow(slot)) {
            return Optional.empty();
        }
        return switch (choice.draw()) {
            case Draw.Whole() -> untouched[slot] ? Optional.of(Share.WHOLE) : Optional.empty();
            case Draw.AtLeast(var amounts) ->
                slots.get(slot).device().shareable() ? part(slot, amounts) : large(slot, amounts);
        };
    }

    private Optional<Share> large(int slot, SortedMap<String, Quantity> wanted) {
        var capacities = slots.get(slot).device().capacities();
        boolean enough = wanted.entrySet().stream().allMatch(entry -> {
            var capacity = capacities.get(entry.getKey());
            return capacity != null && capacity.amount().compareTo(entry.getValue()) >= 0;
        });
        return untouched[slot] && enough ? Optional.of(Share.WHOLE) : Optional.empty();
    }

    private Optional<Share> part(int slot, SortedMap<String, Quantity> wanted) {
        var capacities = slots.get(slot).device().capacities();
        if (whole[slot] || !capacities.keySet().containsAll(wanted.keySet())) {
            return Optional.empty();
        }
        var amounts = new TreeMap<String, Quantity>();
        for (var entry : capacities.entrySet()) {
            var name = entry.getKey();
            var taken = entry.getValue().taken(Optional.ofNullable(wanted.get(name)));
            if (taken.isEmpty() || taken.get().compareTo(leftOf(slot, name)) > 0) {
                return Optional.empty();
            }
            if (taken.get().compareTo(Quantity.ZERO) > 0) {
                amounts.put(name, taken.get());
            }
        }
        return Optional.of(new Share.Part(amounts));
    }

    /** Whether the device had too little of something for the choice before the search took anything. */
    boolean tooSmall(int slot, Choice choice) {
        var known = slots.get(slot);
        if (choice.admin() || known.whole() || !(choice.draw() instanceof Draw.AtLeast(var wanted))) {
            return false;
        }
        var capacities = known.device().capacities();
        if (!capacities.keySet().containsAll(wanted.keySet())) {
            return true;
        }
        return capacities.entrySet().stream().anyMatch(entry -> {
            var asked = Optional.ofNullable(wanted.get(entry.getKey()));
            if (!known.device().shareable()) {
                return asked.isPresent() && entry.getValue().amount().compareTo(asked.get()) < 0;
            }
            var taken = entry.getValue().taken(asked);
            return taken.isEmpty()
                    || taken.get().compareTo(known.left().getOrDefault(entry.getKey(), Quantity.ZERO)) > 0;
        });
    }

    private boolean countersAllow(int slot) {
        if (!untouched[slot]) {
            return true; // its draws are charged already
        }
        for (var draw : slots.get(slot).device().draws().entrySet()) {
            var available = counters.get(draw.getKey());
            if (available == null || available.compareTo(draw.getValue()) < 0) {
                return false;
            }
        }
        return true;
    }

    Quantity leftOf(int slot, String capacity) {
        return left.get(slot).getOrDefault(capacity, Quantity.ZERO);
    }

    Capacity capacity(int slot, String name) {
        return slots.get(slot).device().capacities().getOrDefault(name, Capacity.of(Quantity.ZERO));
    }

    /** How a device was before something was taken from it. */
    record Mark(int slot, boolean untouched, boolean whole, boolean ours, Map<String, Quantity> left) {}

    Mark take(int slot, Share share) {
        var mark = new Mark(slot, untouched[slot], whole[slot], ours[slot], left.get(slot));
        if (untouched[slot]) {
            Draws.take(counters, slots.get(slot));
        }
        if (!ours[slot]) {
            oursInBlock[blocks.of(slot)]++;
        }
        untouched[slot] = false;
        ours[slot] = true;
        switch (share) {
            case Share.Whole() -> whole[slot] = true;
            case Share.Part(var amounts) -> left.set(slot, minus(left.get(slot), amounts));
        }
        return mark;
    }

    private static Map<String, Quantity> minus(Map<String, Quantity> before, Map<String, Quantity> amounts) {
        var after = new HashMap<>(before);
        amounts.forEach((name, amount) -> after.computeIfPresent(name, (key, had) -> had.minus(amount)));
        return Map.copyOf(after);
    }

    void undo(Mark mark) {
        int slot = mark.slot();
        untouched[slot] = mark.untouched();
        whole[slot] = mark.whole();
        left.set(slot, mark.left());
        if (mark.untouched()) {
            Draws.giveBack(counters, slots.get(slot));
        }
        if (!mark.ours()) {
            oursInBlock[blocks.of(slot)]--;
        }
        ours[slot] = mark.ours();
    }

    DeviceView view(int slot) {
        var known = slots.get(slot);
        return ours[slot]
                ? new DeviceView(known.device(), untouched[slot], whole[slot] ? Map.of() : left.get(slot))
                : known.view();
    }

    Map<Counter, Quantity> counters() {
        return counters;
    }

    List<Slot> slots() {
        return slots;
    }

    /** Equal for two devices when what can be done from here on with one can be done with the other. */
    Object role(int slot) {
        int block = blocks.of(slot);
        long untouchedRole = ((long) blockLooks[block] << 32) | blocks.place(slot);
        return oursInBlock[block] == 0 ? (Object) untouchedRole : List.of(untouchedRole, taken(block));
    }

    private List<Object> taken(int block) {
        var taken = new ArrayList<>();
        for (int slot : blocks.members(block)) {
            if (ours[slot]) {
                taken.add(blocks.place(slot));
                taken.add(condition(slot));
            }
        }
        return taken;
    }

    /** Equal for two moments that differ only in which of several interchangeable devices were taken. */
    Map<Object, Integer> state() {
        var state = new HashMap<Object, Integer>();
        for (int block = 0; block < oursInBlock.length; block++) {
            if (oursInBlock[block] > 0) {
                state.merge(List.of(blockLooks[block], taken(block)), 1, Integer::sum);
            }
        }
        return state;
    }
}
