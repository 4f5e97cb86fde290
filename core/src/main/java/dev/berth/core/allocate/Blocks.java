package dev.berth.core.allocate;

import dev.berth.core.Counter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Devices that draw from the same counters form a block, such as a card and its partitions; any other device is a block
 * of its own. Two blocks that look the same, device by device, are interchangeable as a whole.
 */
final class Blocks {
    private final int[] blockOf;
    private final int[] place;
    private final List<List<Integer>> members = new ArrayList<>();
    private final List<List<String>> sets = new ArrayList<>();

    Blocks(List<Slot> slots) {
        blockOf = new int[slots.size()];
        place = new int[slots.size()];
        var bySet = new HashMap<String, Integer>();
        for (int slot = 0; slot < slots.size(); slot++) {
            blockOf[slot] = blockOf(slots.get(slot), bySet);
            place[slot] = members.get(blockOf[slot]).size();
            members.get(blockOf[slot]).add(slot);
        }
    }

    /** A device that draws from sets of two blocks joins the first; both share their sets from then on. */
    private int blockOf(Slot slot, Map<String, Integer> bySet) {
        var drawn = slot.device().draws().keySet().stream()
                .map(Counter::set)
                .distinct()
                .sorted()
                .toList();
        var known = drawn.stream()
                .filter(bySet::containsKey)
                .map(bySet::get)
                .distinct()
                .toList();
        int block = known.isEmpty() ? newBlock() : known.getFirst();
        for (int other : known) {
            if (other != block) {
                merge(other, block, bySet);
            }
        }
        for (var set : drawn) {
            if (bySet.put(set, block) == null) {
                sets.get(block).add(set);
            }
        }
        return block;
    }

    private int newBlock() {
        members.add(new ArrayList<>());
        sets.add(new ArrayList<>());
        return members.size() - 1;
    }

    private void merge(int from, int into, Map<String, Integer> bySet) {
        for (int slot : members.get(from)) {
            blockOf[slot] = into;
            place[slot] = members.get(into).size();
            members.get(into).add(slot);
        }
        sets.get(into).addAll(sets.get(from));
        sets.get(from).forEach(set -> bySet.put(set, into));
        members.get(from).clear();
        sets.get(from).clear();
    }

    int count() {
        return members.size();
    }

    int of(int slot) {
        return blockOf[slot];
    }

    /** The how-manieth of its block a device is. */
    int place(int slot) {
        return place[slot];
    }

    List<Integer> members(int block) {
        return members.get(block);
    }

    List<String> sets(int block) {
        return sets.get(block);
    }

    /** What a device draws, with sets named by their place in the block, so that it reads the same in any block. */
    List<Object> draws(Slot slot, int index) {
        var own = sets.get(blockOf[index]);
        var draws = new TreeMap<String, Object>();
        slot.device()
                .draws()
                .forEach((counter, amount) -> draws.put(own.indexOf(counter.set()) + "/" + counter.name(), amount));
        return List.of(draws);
    }
}
