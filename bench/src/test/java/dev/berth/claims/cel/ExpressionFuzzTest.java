package dev.berth.claims.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.berth.core.Attribute;
import java.util.Map;

/** Any text in place of a constraint: it is compiled and answers, or is refused with words. */
class ExpressionFuzzTest {
    private static final Map<String, Attribute> DEVICE = Map.of(
            "model", new Attribute.Text("A100"),
            "numa", new Attribute.Whole(1),
            "mig", new Attribute.Flag(true));

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void answersOrIsRefused(byte[] text) {
        try {
            Expression.of(new String(text, UTF_8))
                    .refuses(DEVICE)
                    .ifPresent(why -> assertThat(why).isNotBlank());
        } catch (InvalidExpressionException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
