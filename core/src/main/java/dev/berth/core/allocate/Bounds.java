package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Quantity;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Draw;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What cannot work, recognised without search: too few devices for an ask, too few for all asks together (a matching),
 * too few that agree or differ in an attribute, more drawn from counters than is left. A yes proves nothing; a no is
 * final.
 */
final class Bounds {
    private final Question question;
    private final Suitability suitability;
    private final Board board;
    private final Bindings bindings;

    Bounds(Question question, Suitability suitability, Board board, Bindings bindings) {
        this.question = question;
        this.suitability = suitability;
        this.board = board;
        this.bindings = bindings;
    }

    /**
     * So many devices out of these.
     *
     * @param exclusive whether a device can serve this need alone
     */
    private record Need(List<Question.Numbered> choices, int count, BitSet devices, boolean exclusive) {}

    /** Whether the asks from this one on may still be met. */
    boolean leaveRoom(int ask) {
        return leaveRoom(needsFrom(ask));
    }

    /** The same in the middle of an ask, with so many devices to go, from the candidates at {@code from} and later. */
    boolean leaveRoom(Question.Numbered choice, int[] candidates, int from, int more) {
        var devices = new BitSet();
        for (int position = from; position < candidates.length; position++) {
            int slot = candidates[position];
            if (open(choice, slot)) {
                devices.set(slot);
            }
        }
        var needs = new ArrayList<Need>();
        needs.add(new Need(List.of(choice), more, devices, exclusive(choice, devices)));
        needs.addAll(needsFrom(choice.ask() + 1));
        return leaveRoom(needs);
    }

    private List<Need> needsFrom(int first) {
        var needs = new ArrayList<Need>();
        for (int ask = first; ask < question.asks().size(); ask++) {
            var choices = question.choicesOf(ask);
            var devices = new BitSet();
            int count = Integer.MAX_VALUE;
            boolean exclusive = true;
            for (var choice : choices) {
                count = Math.min(count, choice.choice().count().least());
                for (int slot = 0; slot < board.slots().size(); slot++) {
                    if (!devices.get(slot) && suitability.suits(choice.number(), slot) && open(choice, slot)) {
                        devices.set(slot);
                    }
                }
            }
            for (var choice : choices) {
                exclusive &= exclusive(choice, devices);
            }
            needs.add(new Need(choices, count, devices, exclusive));
        }
        return needs;
    }

    private boolean open(Question.Numbered choice, int slot) {
        var given = choice.choice();
        // What is gathered from several devices need not be there on each, so only whole ones are looked at closer.
        boolean gathered = given.count() instanceof Count.Together && given.draw() instanceof Draw.AtLeast;
        boolean available = gathered || board.share(slot, given).isPresent();
        return available && bindings.admits(choice.number(), slot);
    }

    /** Whoever takes the whole of a device has it alone, and so has whoever asks for some of one that is not shared. */
    private boolean exclusive(Question.Numbered choice, BitSet devices) {
        return !choice.choice().admin()
                && (choice.choice().draw() instanceof Draw.Whole
                        || devices.stream()
                                .noneMatch(
                                        slot -> board.slots().get(slot).device().shareable()));
    }

    private boolean leaveRoom(List<Need> needs) {
        for (var need : needs) {
            if (need.devices().cardinality() < need.count()) {
                return false;
            }
        }
        return matching(needs) && counters(needs) && constraints(needs);
    }

    /** Whether every need can have devices of its own. */
    private static boolean matching(List<Need> needs) {
        var exclusive = needs.stream().filter(Need::exclusive).toList();
        int total = 0;
        int smallest = Integer.MAX_VALUE;
        for (var need : exclusive) {
            total += need.count();
            smallest = Math.min(smallest, need.devices().cardinality());
        }
        return exclusive.size() < 2
                || total <= smallest
                || new Matching(exclusive.stream().map(Need::devices).toList())
                        .serves(exclusive.stream().map(Need::count).toList());
    }

    /** Whether the cheapest devices for each need draw no more from all counters of a name than is left in them. */
    private boolean counters(List<Need> needs) {
        if (board.counters().isEmpty()) {
            return true;
        }
        var left = Draws.left(board.counters());
        for (var need : needs) {
            if (need.exclusive()) {
                Draws.cheapest(board.slots(), need.devices())
                        .forEach((name, amount) ->
                                left.computeIfPresent(name, (key, before) -> before.minus(amount.times(need.count()))));
            }
        }
        return left.values().stream().allMatch(amount -> amount.compareTo(Quantity.ZERO) >= 0);
    }

    private boolean constraints(List<Need> needs) {
        for (int index = 0; index < question.constraints().size(); index++) {
            int constraint = index;
            var concerned = needs.stream()
                    .filter(need ->
                            need.choices().stream().allMatch(choice -> question.concerns(constraint, choice.number())))
                    .filter(need -> need.count() > 0)
                    .toList();
            boolean possible = concerned.isEmpty()
                    || switch (question.constraints().get(index)) {
                        case Constraint.SameNode _, Constraint.Apart _ -> true;
                        case Constraint.AtMost(int devices, Set<String> _) ->
                            concerned.stream().mapToInt(Need::count).sum() <= devices - bindings.count(constraint);
                        case Constraint.Same _ -> someValueServes(index, concerned);
                        case Constraint.Distinct _ -> enoughValues(index, concerned);
                    };
            if (!possible) {
                return false;
            }
        }
        return true;
    }

    private boolean someValueServes(int constraint, List<Need> concerned) {
        var values = values(constraint, concerned.getFirst().devices());
        for (var value : values) {
            var restricted = concerned.stream()
                    .map(need -> new Need(
                            need.choices(), need.count(), having(constraint, value, need.devices()), need.exclusive()))
                    .toList();
            if (restricted.stream().allMatch(need -> need.devices().cardinality() >= need.count())
                    && matching(restricted)) {
                return true;
            }
        }
        return false;
    }

    private BitSet having(int constraint, Attribute value, BitSet devices) {
        var having = new BitSet();
        devices.stream()
                .filter(slot -> suitability.values(constraint, slot).contains(value))
                .forEach(having::set);
        return having;
    }

    private Set<Attribute> values(int constraint, BitSet devices) {
        var values = new HashSet<Attribute>();
        devices.stream().forEach(slot -> values.addAll(suitability.values(constraint, slot)));
        return values;
    }

    private boolean enoughValues(int constraint, List<Need> concerned) {
        var all = new HashSet<Attribute>();
        int total = 0;
        for (var need : concerned) {
            all.addAll(values(constraint, need.devices()));
            total += need.count();
        }
        return all.size() >= total;
    }
}
