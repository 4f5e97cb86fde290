package dev.berth.e2e.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.e2e.server.E2eFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** axe-core, which finds barriers for who cannot see a page or use a mouse. */
public final class Axe {
    private static final long MINUTES = 3;

    private final String script;

    private Axe(String script) {
        this.script = script;
    }

    /** Where it cannot be had, tests are skipped, except in a build that must not skip any. */
    public static Axe orSkip() {
        try {
            var output = Files.createTempFile("berth-axe", ".out");
            var search = new ProcessBuilder(E2eFolder.path()
                            .resolve("axe/find")
                            .toAbsolutePath()
                            .toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(output.toFile())
                    .start();
            if (search.waitFor(MINUTES, TimeUnit.MINUTES) && search.exitValue() == 0) {
                return new Axe(Files.readString(
                        Path.of(Files.readAllLines(output, UTF_8).getLast()), UTF_8));
            }
            search.destroy();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        var reason = "no axe-core: e2e/axe/find found none";
        if ("true".equals(System.getenv("CI"))) throw new IllegalStateException(reason);
        throw new TestAbortedException(reason);
    }

    /** What stands in somebody's way on the page as it is now, with the elements. */
    public List<String> violations(Page page) {
        page.evaluate(script + "; undefined");
        var found = page.evaluate(
                "axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map((each) => `${each.id} (${each.impact}): ${each.nodes.slice(0, 3).map((node) => node.html).join(' | ')}`))");
        var violations = new ArrayList<String>();
        found.forEach(each -> violations.add(each.asText()));
        return violations;
    }
}
