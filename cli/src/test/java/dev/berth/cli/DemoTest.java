package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DemoTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    @Timeout(120)
    void aDayIsPlayedToItsEnd() {
        assertThat(demo("--minutes", "30", "--speed", "200")).as(err.toString()).isZero();
        assertThat(out.toString().lines())
                .anyMatch(line -> line.contains("arrival   over-quota wants 50 % of a GPU"))
                .anyMatch(line -> line.contains("waits     over-quota: "))
                .anyMatch(line -> line.contains("waits     whole-node-"))
                .anyMatch(line -> line.contains("failure   gpu-node-"))
                .anyMatch(line -> line.contains("drain     gpu-node-"))
                .last()
                .asString()
                .contains("evening");
    }

    @Test
    void aSpeedThatIsNoneIsRefused() {
        assertThat(demo("--speed", "0")).isEqualTo(2);
        assertThat(err.toString()).contains("--speed takes 1 to 10000, not 0.0");
    }

    private int demo(String... arguments) {
        var all = new String[arguments.length + 1];
        all[0] = "demo";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return Berth.execute(new PrintWriter(out), new PrintWriter(err), all);
    }
}
