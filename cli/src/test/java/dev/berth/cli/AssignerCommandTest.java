package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

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
}
