package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"scheduler-agent:8080", "http:/scheduler-agent", "ftp://scheduler-agent/"})
    void anAddressOfTheAgentThatIsNoneIsRefused(String address) {
        assertThat(Berth.execute(new PrintWriter(out), new PrintWriter(err), "console", "--advisor-url", address))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--advisor-url is http://HOST:PORT/, not '" + address + "'");
    }
}
