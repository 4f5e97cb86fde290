package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Counter;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.verdict.Reason;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Why a node on which no answer was found has none: the plainest reason that is true. */
final class Diagnosis {
    private static final int HOLDERS_NAMED = 3;

    private final Question question;
    private final Suitability suitability;
    private final NodeState node;
    private final Gathering gathering;
    private final Suitability.Filters filters;

    Diagnosis(Question question, Suitability suitability, NodeState node, Board board, Suitability.Filters filters) {
        this.question = question;
        this.suitability = suitability;
        this.node = node;
        this.gathering = new Gathering(board);
        this.filters = filters;
    }

    Reason reason() {
        if (node.slots().isEmpty()) {
            return new Reason.NoDevices();
        }
        for (int ask = 0; ask < question.asks().size(); ask++) {
            var reason = ofAskAlone(ask);
            if (reason.isPresent()) {
                return reason.get();
            }
        }
        for (int index = 0; index < question.constraints().size(); index++) {
            var reason = ofConstraint(index);
            if (reason.isPresent()) {
                return reason.get();
            }
        }
        return overdrawn()
                .orElseGet(() -> new Reason.NotTogether(
                        question.asks().stream().map(ask -> ask.name()).toList()));
    }

    /** What keeps an ask from being met if it had the node for itself: of its last choice, the least wanted one. */
    private Optional<Reason> ofAskAlone(int ask) {
        Optional<Reason> last = Optional.empty();
        for (var choice : question.choicesOf(ask)) {
            last = ofChoiceAlone(choice);
            if (last.isEmpty()) {
                return last;
            }
        }
        return last;
    }

    private Optional<Reason> ofChoiceAlone(Question.Numbered choice) {
        var name = question.asks().get(choice.ask()).name();
        var tally = tally(choice);
        return switch (choice.choice().count()) {
            case Count.All() ->
                tally.free() == 0 || tally.taken() + tally.tainted() > 0
                        ? Optional.of(new Reason.NotAll(name, tally))
                        : Optional.empty();
            case Count.Exactly(int wanted) ->
                tally.free() < wanted ? Optional.of(new Reason.TooFew(name, wanted, tally)) : Optional.empty();
            case Count.Together together ->
                tally.free() < together.least()
                        ? Optional.of(new Reason.TooFew(name, together.least(), tally))
                        : tooLittle(name, choice, together);
        };
    }

    private Reason.Tally tally(Question.Numbered choice) {
        int unsuited = 0;
        int tainted = 0;
        int taken = 0;
        int tooSmall = 0;
        int free = 0;
        Optional<Reason.Example> example = Optional.empty();
        var holders = new TreeSet<String>();
        var named = new HashMap<String, Holder>();
        for (int slot = 0; slot < node.slots().size(); slot++) {
            var known = node.slots().get(slot);
            switch (suitability.fault(choice.number(), slot)) {
                case UNSUITED -> {
                    unsuited++;
                    example = example.or(() -> example(choice, known));
                }
                case NOT_LOCAL -> unsuited++;
                case TAINTED -> tainted++;
                case NONE -> {
                    if (available(choice, slot)) {
                        free++;
                    } else if (known.untouched()) {
                        tooSmall++;
                    } else {
                        taken++;
                        entries(known).forEach(entry -> {
                            holders.add(entry.holder().toString());
                            named.putIfAbsent(entry.holder().toString(), entry.holder());
                        });
                    }
                }
            }
        }
        var some = holders.stream().limit(HOLDERS_NAMED).map(named::get).toList();
        return new Reason.Tally(node.slots().size(), unsuited, example, tainted, taken, some, tooSmall, free);
    }

    private Optional<Reason.Example> example(Question.Numbered choice, Slot slot) {
        return filters.refuses(choice.choice().filter(), slot.device())
                .map(why -> new Reason.Example(slot.device().id(), why));
    }

    private List<Entry> entries(Slot slot) {
        NodeName place = slot.place();
        if (place.equals(node.name())) {
            return node.holdings().of(slot.device().id());
        }
        var network = node.network();
        for (int index = 0; index < network.shelves().size(); index++) {
            if (network.shelves().get(index).place().equals(place)) {
                return network.pages().get(index).of(slot.device().id());
            }
        }
        return List.of();
    }

    private boolean available(Question.Numbered choice, int slot) {
        return gathering.share(slot, choice.choice()).isPresent();
    }

    private Optional<Reason> tooLittle(String name, Question.Numbered choice, Count.Together together) {
        var candidates = IntStream.range(0, node.slots().size())
                .filter(slot -> suitability.suits(choice.number(), slot) && available(choice, slot))
                .toArray();
        for (var wanted : together.amounts().entrySet()) {
            var most = gathering.most(candidates, together.most(), choice.choice(), wanted.getKey());
            if (most.compareTo(wanted.getValue()) < 0) {
                return Optional.of(new Reason.TooLittle(name, wanted.getKey(), wanted.getValue(), most));
            }
        }
        return Optional.empty();
    }

    private Optional<Reason> ofConstraint(int index) {
        int wanted = 0;
        var having = new HashMap<Attribute, Integer>();
        var seen = new BitSet();
        for (int ask = 0; ask < question.asks().size(); ask++) {
            var choices = question.choicesOf(ask);
            if (choices.stream().allMatch(choice -> question.concerns(index, choice.number()))) {
                wanted += choices.stream()
                        .mapToInt(choice -> choice.choice().count().least())
                        .min()
                        .orElse(0);
                for (var choice : choices) {
                    for (int slot = 0; slot < node.slots().size(); slot++) {
                        if (suitability.suits(choice.number(), slot) && available(choice, slot) && !seen.get(slot)) {
                            seen.set(slot);
                            suitability.values(index, slot).forEach(value -> having.merge(value, 1, Integer::sum));
                        }
                    }
                }
            }
        }
        return shortOf(question.constraints().get(index), wanted, having);
    }

    private static Optional<Reason> shortOf(Constraint constraint, int wanted, Map<Attribute, Integer> having) {
        return switch (constraint) {
            case Constraint.SameNode _, Constraint.Apart _ -> Optional.empty();
            case Constraint.AtMost(int devices, Set<String> _) ->
                wanted > devices ? Optional.of(new Reason.TooMany(wanted, devices)) : Optional.empty();
            case Constraint.Distinct(var attribute, Set<String> _) ->
                having.size() < wanted
                        ? Optional.of(new Reason.NoneDiffer(attribute, wanted, having.size()))
                        : Optional.empty();
            case Constraint.Same(var attribute, Set<String> _) -> {
                var best = having.entrySet().stream()
                        .max(Map.Entry.<Attribute, Integer>comparingByValue()
                                .thenComparing(entry -> entry.getKey().toString()));
                int most = best.map(Map.Entry::getValue).orElse(0);
                yield most < wanted
                        ? Optional.of(new Reason.NoneAgree(
                                attribute,
                                wanted,
                                most,
                                best.map(entry -> entry.getKey().text()).orElse("")))
                        : Optional.empty();
            }
        };
    }

    /** The counter of which the cheapest devices for all asks draw more than is left, if it is as plain as that. */
    private Optional<Reason> overdrawn() {
        var left = Draws.left(node.counters());
        var wanted = new HashMap<String, Quantity>();
        for (int ask = 0; ask < question.asks().size(); ask++) {
            var choices = question.choicesOf(ask);
            if (choices.size() == 1 && !choices.getFirst().choice().admin()) {
                cheapest(choices.getFirst()).forEach((name, amount) -> wanted.merge(name, amount, Quantity::plus));
            }
        }
        return wanted.entrySet().stream()
                .filter(entry -> left.containsKey(entry.getKey())
                        && left.getOrDefault(entry.getKey(), Quantity.ZERO).compareTo(entry.getValue()) < 0)
                .sorted(Map.Entry.comparingByKey())
                .findFirst()
                .map(entry -> new Reason.Overdrawn(
                        new Counter(node.name().value(), entry.getKey()),
                        entry.getValue(),
                        left.getOrDefault(entry.getKey(), Quantity.ZERO)));
    }

    private Map<String, Quantity> cheapest(Question.Numbered choice) {
        var suited = new BitSet();
        IntStream.range(0, node.slots().size())
                .filter(slot -> suitability.suits(choice.number(), slot))
                .forEach(suited::set);
        var least = Draws.cheapest(node.slots(), suited);
        least.replaceAll((name, amount) -> amount.times(choice.choice().count().least()));
        return least;
    }
}
