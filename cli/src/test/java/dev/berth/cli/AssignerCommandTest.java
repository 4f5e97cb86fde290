package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssignerCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int berth(String... arguments) {
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void helpShowsTheDefaultsThatAreReallyTaken() {
        assertThat(berth("assigner", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains(
                        "--log-level=LEVEL error, warn, info, debug or trace (default: warn)",
                        "(default: fewest-free)",
                        "(default: 443)",
                        "(default: 8080)");
    }

    @Test
    void helpOfTheLabelWriterShowsItsOwn() {
        assertThat(berth("assigner", "label-node", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains("debug or trace (default: info)");
    }

    @Test
    void anUnknownPolicyIsAnsweredWithTheOnesThereAre() {
        assertThat(berth("assigner", "--policy", "best")).isEqualTo(2);
        assertThat(err.toString()).contains("--policy", "no policy is called 'best'", "fewest-free", "spread");
    }

    @Test
    void aNamespaceThatCannotBeIsNamedBeforeAnythingStarts() {
        assertThat(berth("assigner", "--claims-namespace", "Bad NS")).isEqualTo(2);
        assertThat(err.toString()).contains("'Bad NS' is no name of a namespace");
    }

    @Test
    void anIntervalThatNeverEndsIsRefused() {
        assertThat(berth("assigner", "--renew-interval", "9223372036854775807")).isEqualTo(2);
        assertThat(err.toString()).contains("the interval must be at most a day");
    }

    @ParameterizedTest
    @ValueSource(strings = {"---=a100", "GPU,1=a100", "GPU-1..2", " =a100"})
    void theLabelWriterWritesNoUuidThatTheAssignerCannotRead(String device) {
        assertThat(berth("assigner", "label-node", "--node", "n1", "--device", device))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--device is UUID=label,label, not '" + device + "'");
    }
}
