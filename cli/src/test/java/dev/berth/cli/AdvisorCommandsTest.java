package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The advisor's command lines: what is wrong is named, with the variable of the same meaning. */
class AdvisorCommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Berth.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    --timeout-seconds  | soon      | 'soon' (TIMEOUT_SECONDS) is not a number of seconds up to 30
                    --timeout-seconds  | 0         | '0' (TIMEOUT_SECONDS) is not a number of seconds up to 30
                    --timeout-seconds  | 60        | '60' (TIMEOUT_SECONDS) is not a number of seconds up to 30
                    --enable-mutation  | perhaps   | 'perhaps' (ENABLE_MUTATION) is not true or false
                    --priority-buckets | [{}]      | (PRIORITY_BUCKETS) entry 0: minScore is not a number
                    --scheduler-url    | agent     | --scheduler-url (SCHEDULER_URL): 'agent' is not an http or https address
                    """)
    void aWrongValueIsNamed(String flag, String value, String words) {
        assertThat(run("advisor", "webhook", flag, value)).isEqualTo(2);
        assertThat(err.toString()).contains(words);
    }

    @Test
    void theObserverNeedsAnAddressToo() {
        assertThat(run("advisor", "observer", "--scheduler-url", "agent")).isEqualTo(2);
        assertThat(err.toString()).contains("'agent' is not an http or https address");
    }

    @Test
    void helpNamesTheVariables() {
        assertThat(run("advisor", "webhook", "--help")).isZero();
        assertThat(out.toString())
                .contains("$SCHEDULER_URL", "$TIMEOUT_SECONDS", "$ENABLE_MUTATION", "$PRIORITY_BUCKETS");
    }
}
