package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;

class LogFormatTest {
    @Test
    void whatIsQuotedStaysOnItsLine() {
        assertThat(line("Mutated pod default/a job-type=train\n2026-11-18T00:00:00.000Z ERROR Forged all is lost\r\n"))
                .endsWith(" INFO  LogFormatTest Mutated pod default/a job-type=train"
                        + " | 2026-11-18T00:00:00.000Z ERROR Forged all is lost | " + System.lineSeparator())
                .hasLineCount(1);
    }

    private static String line(String message) {
        var context = new LoggerContext();
        var layout = new PatternLayout();
        layout.setContext(context);
        layout.setPattern(LogFormat.PATTERN);
        layout.start();
        var logger = context.getLogger(LogFormatTest.class);
        return layout.doLayout(
                new LoggingEvent(LogFormatTest.class.getName(), logger, Level.INFO, message, null, new Object[0]));
    }
}
