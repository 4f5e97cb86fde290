package dev.berth.claims.dra.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What selectors cost, and that none can cost more than Kubernetes allows. */
class CostTest {
    private static final String A = "device.attributes['dra.example.com']";

    /** What Kubernetes' own evaluator (v1.36.3) said of the same device on 2026-11-17. */
    static Stream<Map.Entry<String, Long>> measured() {
        return Measured.rows("costs.tsv").map(cells -> Map.entry(cells.getLast(), Long.parseLong(cells.getFirst())));
    }

    @ParameterizedTest
    @MethodSource("measured")
    void costsWhatItCostsInKubernetes(Map.Entry<String, Long> row) {
        assertThat(Selector.of(row.getKey()).cost(Measured.DEVICE)).contains(row.getValue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lists.range(100000).all(x, lists.range(100000).all(y, x + y >= 0))",
                "lists.range(1000000000).size() > 0",
                "lists.range(999980).size() > 0 || device.driver == 'x' || device.driver == 'dra.example.com'",
                "sets.contains(lists.range(300000), lists.range(300000))",
                "lists.range(2000).distinct().size() > 0",
                "lists.range(100000).map(x, device.driver).join(device.driver + device.driver).size() > 0",
                "lists.range(100000).exists(x, lists.range(50000)[x] == -1)",
                "lists.range(300000).exists(x, 'abc'.charAt(x + 10) == 'x')",
                "lists.range(300000).exists(x, device.attributes['dra.example.com'].none == 'x')",
            })
    @Timeout(60)
    void anExpressionThatCostsTooMuchEnds(String expression) {
        assertThat(Selector.of(expression).cost(Measured.DEVICE)).isEmpty();
        assertThat(Selector.of(expression).ask(Measured.DEVICE))
                .isEqualTo(new Selector.Answer.Failed(
                        expression + ": operation cancelled: actual cost limit exceeded (1000000)"));
    }

    @Test
    @Timeout(60)
    void noOtherSideOfAnOrSavesIt() {
        assertThat(Selector.of("lists.range(500000).all(x, x >= 0) || true").ask(Measured.DEVICE))
                .isInstanceOf(Selector.Answer.Failed.class);
    }

    /** Each step doubles what the step before made: forty would be a terabyte. */
    @ParameterizedTest
    @ValueSource(strings = {"device.driver", "[device.driver]"})
    @Timeout(60)
    void whatDoublesEnds(String seed) {
        String doubled = "x39.size() > 0";
        for (int step = 39; step > 0; step--) {
            doubled = "cel.bind(x%d, x%d + x%d, %s)".formatted(step, step - 1, step - 1, doubled);
        }
        assertThat(Selector.of("cel.bind(x0, %s, %s)".formatted(seed, doubled)).cost(Measured.DEVICE))
                .isEmpty();
    }

    @Test
    @Timeout(60)
    void listsWithinListsAreComparedInFullOnlyIfThatIsAffordable() {
        String nested = "x25 == x25";
        for (int step = 25; step > 0; step--) {
            nested = "cel.bind(x%d, [x%d, x%d], %s)".formatted(step, step - 1, step - 1, nested);
        }
        assertThat(Selector.of("cel.bind(x0, [device.driver], %s)".formatted(nested))
                        .cost(Measured.DEVICE))
                .isEmpty();
    }

    @Test
    @Timeout(60)
    void aLongChainOfOptionalFieldsEnds() {
        String chain = "device.attributes" + ".?x".repeat(60) + ".hasValue()";
        assertThat(Selector.of(chain).ask(Measured.DEVICE)).isNotEqualTo(Selector.Answer.YES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "matches('(((a{1000}){1000}){1000})')",
                "matches('((((a{0,100}){0,100}){0,100}){0,100})')",
                "find('((a{100}){100}){100}') == ''",
                "findAll('([)\\\\]]a{1000}){1000}') == []",
            })
    @Timeout(60)
    void aPatternThatWouldBecomeTooLargeIsRefused(String call) {
        assertThat(Selector.of(A + ".model." + call).ask(Measured.DEVICE))
                .isInstanceOfSatisfying(
                        Selector.Answer.Failed.class,
                        failed -> assertThat(failed.why())
                                .containsAnyOf("comes to more than 1000 steps", "cost limit exceeded"));
    }

    @Test
    @Timeout(60)
    void aPatternThatRepeatsIsChargedForWhatItRepeats() {
        String text = "lists.range(40000).map(x, 'aaaaaaaaaa').join('')";
        assertThat(Selector.of(text + ".matches('a{900}b')").cost(Measured.DEVICE))
                .isEmpty();
    }

    @Test
    void aPatternIsAsLargeAsItIsWrittenOut() {
        assertThat(Stream.of(
                                "abc",
                                "a{10}",
                                "(ab){3}c",
                                "[)(]{2}",
                                "\\Q({\\E{2}",
                                "\\x{41}{3}",
                                "((a{2}){3}){4}",
                                "a{,3}")
                        .map(PatternSize::of))
                .isEqualTo(Arrays.asList(3L, 10L, 13L, 2L, 3L, 3L, 56L, 5L));
    }
}
