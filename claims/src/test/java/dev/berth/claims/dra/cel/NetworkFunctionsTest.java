package dev.berth.claims.dra.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Addresses, networks, URLs and named formats: answers and costs that Kubernetes' own evaluator gave on 2026-11-17. */
class NetworkFunctionsTest {
    static Stream<List<String>> measured() {
        return Measured.rows("network.tsv");
    }

    @ParameterizedTest
    @MethodSource("measured")
    void saysWhatKubernetesSays(List<String> row) {
        var selector = Selector.of(row.getLast());
        String said = switch (selector.ask(Measured.DEVICE)) {
            case Selector.Answer.Yes() -> "true";
            case Selector.Answer.No _ -> "false";
            case Selector.Answer.Failed _ -> "failed";
        };
        assertThat(said).isEqualTo(row.getFirst());
        if (!said.equals("failed")) {
            assertThat(selector.cost(Measured.DEVICE)).contains(Long.parseLong(row.get(1)));
        }
    }
}
