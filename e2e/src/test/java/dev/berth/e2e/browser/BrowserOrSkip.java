package dev.berth.e2e.browser;

import dev.berth.e2e.server.SystemPart;
import org.opentest4j.TestAbortedException;

/** The browser; where there is none, tests are skipped, except in a build that must not skip any. */
public final class BrowserOrSkip {
    private BrowserOrSkip() {}

    public static Browser start() {
        try {
            return Browser.start();
        } catch (SystemPart.Unavailable e) {
            var reason = "no browser: " + e.getMessage();
            if ("true".equals(System.getenv("CI"))) throw new IllegalStateException(reason, e);
            throw new TestAbortedException(reason, e);
        }
    }
}
