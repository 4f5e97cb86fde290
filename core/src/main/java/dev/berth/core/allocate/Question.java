package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Draw;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a demand asks of every node, whoever asks: the same for all pods of a kind, so that answers can be kept. All
 * choices of all asks are numbered through.
 */
final class Question {
    /** One choice with its place in the demand. */
    record Numbered(int number, int ask, int rank, Choice choice) {}

    private final List<Ask> asks;
    private final List<Constraint> constraints;
    private final List<Numbered> choices;
    private final List<List<Numbered>> byAsk;
    private final boolean[][] concerns;
    private final boolean weighsCapacities;

    /** @param orderedByCapacity whether a policy looks at capacities to decide which device comes first */
    Question(Demand demand, boolean orderedByCapacity) {
        asks = demand.asks();
        constraints = demand.constraints();
        choices = new ArrayList<>();
        byAsk = new ArrayList<>();
        for (int ask = 0; ask < asks.size(); ask++) {
            var ofAsk = new ArrayList<Numbered>();
            for (var choice : asks.get(ask).choices()) {
                ofAsk.add(new Numbered(choices.size(), ask, ofAsk.size(), choice));
                choices.add(ofAsk.getLast());
            }
            byAsk.add(List.copyOf(ofAsk));
        }
        weighsCapacities = orderedByCapacity
                || choices.stream()
                        .map(Numbered::choice)
                        .anyMatch(choice ->
                                choice.count() instanceof Count.Together || choice.draw() instanceof Draw.AtLeast);
        concerns = new boolean[constraints.size()][choices.size()];
        for (int index = 0; index < constraints.size(); index++) {
            for (var numbered : choices) {
                concerns[index][numbered.number()] =
                        constraints.get(index).concerns(asks.get(numbered.ask()), numbered.choice());
            }
        }
    }

    List<Ask> asks() {
        return asks;
    }

    List<Constraint> constraints() {
        return constraints;
    }

    List<Numbered> choices() {
        return choices;
    }

    List<Numbered> choicesOf(int ask) {
        return byAsk.get(ask);
    }

    boolean concerns(int constraint, int choice) {
        return concerns[constraint][choice];
    }

    /** Whether it matters how much of each capacity a device has. */
    boolean weighsCapacities() {
        return weighsCapacities;
    }

    /** The values that a constraint compares: none where the device has not got the attribute. */
    static Set<Attribute> values(Constraint constraint, Device device) {
        if (constraint instanceof Constraint.Apart) {
            return device.shareable()
                    ? Set.of()
                    : Set.of(new Attribute.Text(device.id().value()));
        }
        var attribute = switch (constraint) {
            case Constraint.Same(var name, Set<String> _) -> device.attributes().get(name);
            case Constraint.Distinct(var name, Set<String> _) ->
                device.attributes().get(name);
            case Constraint.SameNode _, Constraint.Apart _, Constraint.AtMost _ -> null;
        };
        return switch (attribute) {
            case null -> Set.of();
            case Attribute.Many(var values) -> Set.copyOf(values);
            case Attribute single -> Set.of(single);
        };
    }
}
