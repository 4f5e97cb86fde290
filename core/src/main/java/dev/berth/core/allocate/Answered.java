package dev.berth.core.allocate;

import dev.berth.core.NodeName;
import java.util.HashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a plan said last of each node, by the node's place in the roster. */
final class Answered {
    private Plan.@Nullable Known[] answers = {};
    private int seating = -1;

    Optional<Plan.Known> at(int place) {
        return Optional.ofNullable(answers[place]);
    }

    /** What was said of the node as it is; every question asks this of every node, so that nothing is wrapped. */
    @SuppressWarnings("ReferenceEquality") // a node that changed is another object
    Plan.@Nullable Known of(int place, NodeState node) {
        var known = answers[place];
        return known != null && known.state() == node ? known : null;
    }

    void keep(int place, Plan.Known known) {
        answers[place] = known;
    }

    /** Moves what is known to the nodes' new places, if nodes came or went. */
    void seat(Roster roster) {
        if (roster.seating() == seating) {
            return;
        }
        var byName = new HashMap<NodeName, Plan.Known>();
        for (var known : answers) {
            if (known != null) {
                byName.put(known.state().name(), known);
            }
        }
        answers = new Plan.@Nullable Known[roster.size()];
        for (int place = 0; place < answers.length; place++) {
            answers[place] = byName.get(roster.state(place).name());
        }
        seating = roster.seating();
    }
}
