package dev.berth.claims.demand;

import dev.berth.claims.api.Detail;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.cel.InvalidExpressionException;
import dev.berth.claims.demand.Classes.Leaf;
import dev.berth.claims.demand.PlannedClaim.PlannedAsk;
import dev.berth.claims.demand.PlannedClaim.PlannedChoice;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Choice;
import dev.berth.core.demand.Constraint;
import dev.berth.core.demand.Count;
import dev.berth.core.demand.Draw;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The asks and constraints of one claim. */
final class ClaimAsks {
    private final Classes classes;
    private final Set<String> names;
    private final List<Ask> asks = new ArrayList<>();
    private final List<PlannedAsk> planned = new ArrayList<>();
    private final List<Constraint> constraints = new ArrayList<>();

    /** @param names those of asks that the pod has already; the new ones are added */
    ClaimAsks(Classes classes, Set<String> names) {
        this.classes = classes;
        this.names = names;
    }

    record Parts(List<Ask> asks, List<PlannedAsk> planned, List<Constraint> constraints) {}

    Parts of(DeviceClaim claim) throws UnmetException {
        for (DeviceClaim.Instance instance : claim.spec().devices()) {
            boolean alone = instance.allOf().size() + (instance.oneOf().isEmpty() ? 0 : 1) == 1;
            int number = 1;
            for (Detail detail : instance.allOf()) {
                ask(alone ? instance.name() : instance.name() + "." + number++, List.of(detail));
            }
            if (!instance.oneOf().isEmpty()) {
                ask(alone ? instance.name() : instance.name() + "." + number, instance.oneOf());
            }
        }
        Set<String> all = new HashSet<>();
        asks.forEach(ask -> all.add(ask.name()));
        claim.spec().matchAttributes().forEach(name -> constraints.add(new Constraint.Same(name, all)));
        claim.spec().distinctAttributes().forEach(name -> constraints.add(new Constraint.Distinct(name, all)));
        return new Parts(asks, planned, constraints);
    }

    private void ask(String wanted, List<Detail> details) throws UnmetException {
        String name = wanted;
        while (!names.add(name)) {
            name += "'";
        }
        List<Choice> choices = new ArrayList<>();
        List<PlannedChoice> plannedChoices = new ArrayList<>();
        for (int i = 0; i < details.size(); i++) {
            Detail detail = details.get(i);
            String choice = details.size() == 1 ? "" : Integer.toString(i + 1);
            List<Leaf> leaves = leaves(detail);
            choices.add(choice(detail, leaves).named(choice));
            plannedChoices.add(new PlannedChoice(choice, detail, leaves));
            constrain(choice.isEmpty() ? name : name + "/" + choice, detail, leaves);
        }
        asks.add(new Ask(name, choices));
        planned.add(new PlannedAsk(name, plannedChoices));
    }

    private List<Leaf> leaves(Detail detail) throws UnmetException {
        try {
            return classes.leaves(detail);
        } catch (InvalidExpressionException invalid) {
            throw new UnmetException(String.valueOf(invalid.getMessage()));
        }
    }

    private static Choice choice(Detail detail, List<Leaf> leaves) {
        var filter = ClassFilter.Any.of(leaves.stream().map(Leaf::filter).toList());
        if (detail.adminAccess()) {
            return Choice.of(filter, Count.ALL).asAdmin();
        }
        var definition = leaves.getFirst().definition();
        int least = detail.count().orElse(definition.minDeviceCount().orElse(1));
        int most = Math.max(
                least, detail.maxDevices().orElse(definition.maxDeviceCount().orElse(least)));
        if (detail.amounts().isEmpty()) {
            return Choice.of(filter, least);
        }
        if (!detail.allowShared()) {
            return Choice.of(filter, new Count.Together(least, most, detail.amounts()));
        }
        return most == 1
                ? Choice.of(filter, 1).drawing(new Draw.AtLeast(detail.amounts()))
                : Choice.of(filter, new Count.Together(least, most, detail.amounts()))
                        .drawing(new Draw.AtLeast(Map.of()));
    }

    private void constrain(String ask, Detail detail, List<Leaf> leaves) {
        Set<String> same = new TreeSet<>(detail.matchAttributes());
        leaves.forEach(leaf -> same.addAll(leaf.definition().matchAttributes()));
        same.forEach(name -> constraints.add(Constraint.same(name, ask)));
        detail.distinctAttributes().forEach(name -> constraints.add(Constraint.distinct(name, ask)));
    }
}
