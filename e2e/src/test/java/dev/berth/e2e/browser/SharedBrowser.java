package dev.berth.e2e.browser;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One browser for all tests of a class; where there is none they are skipped, or fail if they must run. */
public final class SharedBrowser implements BeforeAllCallback, AfterAllCallback {
    private @Nullable Browser browser;

    @Override
    public void beforeAll(ExtensionContext context) {
        browser = BrowserOrSkip.start();
    }

    /** A new page of this size, in light colours. */
    public Page page(int width, int height) {
        return Objects.requireNonNull(browser).newPage().size(width, height).dark(false);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (browser != null) browser.close();
    }
}
