package dev.berth.core.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.NodeName;
import dev.berth.core.policy.Listed;
import dev.berth.core.policy.Pack;
import dev.berth.core.policy.Policy;
import dev.berth.core.policy.Spread;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Thousands of small clusters: the engine against trying everything, and every placement against the rules. */
class PropertyTest {
    private static final int CASES = Integer.getInteger("berth.cases", 10_000);

    @Test
    void theAnswerIsTheFirstThatTryingEverythingFinds() {
        int placed = 0;
        for (long seed = 0; seed < CASES; seed++) {
            var question = Case.of(seed);
            var complaint = complaint(question);
            if (complaint.isPresent()) {
                var small = question.shrunk(smaller -> complaint(smaller).isPresent());
                throw new AssertionError(
                        "seed %d: %s%n%s".formatted(seed, complaint(small).orElseThrow(), small));
            }
            placed += place(question, new Listed()) instanceof Placement ? 1 : 0;
        }
        // Cases that all go one way would prove little.
        assertThat(placed).isBetween(CASES / 5, CASES * 4 / 5);
    }

    @Test
    void everyPolicyFindsAPlaceWheneverThereIsOneAndItKeepsTheRules() {
        for (long seed = 0; seed < CASES / 4; seed++) {
            var question = Case.of(seed);
            boolean possible = place(question, new Listed()) instanceof Placement;
            for (Policy policy : List.of(new Pack(), new Spread())) {
                var verdict = place(question, policy);
                assertThat(verdict instanceof Placement)
                        .as("seed %d under %s", seed, policy.name())
                        .isEqualTo(possible);
                if (verdict instanceof Placement placement) {
                    assertThat(broken(question, placement))
                            .as("seed %d under %s", seed, policy.name())
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void whatAnAllocatorRemembersDoesNotChangeItsAnswers() {
        var remembering = new Allocator();
        for (long seed = 0; seed < CASES / 5; seed++) {
            var question = Case.of(seed);
            for (int again = 0; again < 2; again++) {
                var verdict = remembering.place(
                        question.inventory(), question.ledger(), question.demand(), new Listed(), Deadline.NONE);
                assertThat(Devices.told(verdict))
                        .as("seed %d", seed)
                        .isEqualTo(Devices.told(place(question, new Listed())));
            }
        }
    }

    private static Verdict place(Case question, Policy policy) {
        return new Allocator().place(question.inventory(), question.ledger(), question.demand(), policy, Deadline.NONE);
    }

    private static Optional<String> complaint(Case question) {
        var verdict = place(question, new Listed());
        var expected = expected(question);
        var told = verdict instanceof Placement ? Devices.told(verdict) : "refused";
        if (!told.equals(expected)) {
            return Optional.of(
                    "the engine says %s, trying everything says %s".formatted(Devices.told(verdict), expected));
        }
        return verdict instanceof Placement placement ? broken(question, placement) : Optional.empty();
    }

    private static Optional<String> broken(Case question, Placement placement) {
        var shelf = question.inventory().shelf(placement.node()).orElseThrow();
        return new Verifier(shelf, question.held().getOrDefault(placement.node(), List.of()), question.demand())
                .complaint(placement);
    }

    /** The best node's first answer: earlier choices first, then the lower name. */
    private static String expected(Case question) {
        String best = "refused";
        List<Integer> bestRanks = List.of();
        for (var shelf : question.shelves()) {
            var held = question.held().getOrDefault(shelf.place(), List.of());
            var found = new BruteForce(shelf, held, question.demand()).first();
            if (found.isPresent()) {
                var ranks = ranks(question, found.get());
                if (bestRanks.isEmpty() || earlier(ranks, bestRanks)) {
                    bestRanks = ranks;
                    best = told(question, shelf.place().value(), found.get());
                }
            }
        }
        return best;
    }

    private static boolean earlier(List<Integer> one, List<Integer> other) {
        for (int index = 0; index < one.size(); index++) {
            if (!one.get(index).equals(other.get(index))) {
                return one.get(index) < other.get(index);
            }
        }
        return false;
    }

    private static List<Integer> ranks(Case question, List<BruteForce.Given> found) {
        return question.demand().asks().stream()
                .map(ask -> found.stream()
                        .filter(given ->
                                question.demand().asks().get(given.ask()).equals(ask))
                        .map(given -> ask.choices().indexOf(given.choice()))
                        .findFirst()
                        .orElseThrow())
                .toList();
    }

    private static String told(Case question, String node, List<BruteForce.Given> found) {
        return Devices.told(new Placement(
                new NodeName(node),
                found.stream()
                        .map(given -> new Grant(
                                question.demand().asks().get(given.ask()).name(),
                                given.choice().name(),
                                new NodeName(node),
                                given.device(),
                                given.share(),
                                given.choice().admin()))
                        .toList(),
                ""));
    }
}
