package dev.berth.e2e.agent;

import dev.berth.e2e.server.PostgresServer;
import dev.berth.e2e.server.SystemPart;
import org.opentest4j.TestAbortedException;

/** A PostgreSQL server; where there is none, tests are skipped, except in a build that must not skip any. */
final class PostgresOrSkip {
    private PostgresOrSkip() {}

    static PostgresServer start() {
        try {
            return PostgresServer.start();
        } catch (SystemPart.Unavailable e) {
            var reason = "no PostgreSQL: " + e.getMessage();
            if ("true".equals(System.getenv("CI"))) throw new IllegalStateException(reason, e);
            throw new TestAbortedException(reason, e);
        }
    }
}
