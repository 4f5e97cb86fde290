package dev.berth.cli;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Logging set up in code: one line an event on standard error. Reading an XML file would cost a tenth of a second at
 * every start.
 */
public final class LogFormat extends ContextAwareBase implements Configurator {
    /** What others have written stays on the line on which we quote it. */
    static final String PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level %logger{0} %replace(%msg){'[\r\n]+', ' | '}%n%ex{full}";

    /** What can be asked for, from the least to the most; the first two are there for those who are used to them. */
    enum Level {
        FATAL,
        REPORT,
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    static void show(Level level) {
        var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(
                switch (level) {
                    case FATAL, REPORT, ERROR -> ch.qos.logback.classic.Level.ERROR;
                    case WARN -> ch.qos.logback.classic.Level.WARN;
                    case INFO -> ch.qos.logback.classic.Level.INFO;
                    case DEBUG -> ch.qos.logback.classic.Level.DEBUG;
                    case TRACE -> ch.qos.logback.classic.Level.TRACE;
                });
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        var root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(ch.qos.logback.classic.Level.INFO);
        root.addAppender(appender);
        // Libraries are heard when something is wrong; their start-up chatter is not news.
        context.getLogger("io.helidon").setLevel(ch.qos.logback.classic.Level.WARN);
        context.getLogger("io.fabric8").setLevel(ch.qos.logback.classic.Level.WARN);
        // It warns of every kind that is not v1 yet, each time one is looked at.
        context.getLogger("io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils")
                .setLevel(ch.qos.logback.classic.Level.ERROR);
        LogManager.getLogManager().reset();
        SLF4JBridgeHandler.install();
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
