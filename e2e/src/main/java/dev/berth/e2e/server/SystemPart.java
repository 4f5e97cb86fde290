package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Something of the system that tests need: a script of this module finds it, and installs it first where it may. */
public final class SystemPart {
    private static final long INSTALL_MINUTES = 15;

    private SystemPart() {}

    /** Why there is none; tests that need it are skipped then. */
    public static final class Unavailable extends Exception {
        Unavailable(String reason) {
            super(reason);
        }
    }

    /** @param script the one below {@code e2e} whose last line of output is where the part is */
    public static Path find(String script) throws Unavailable {
        var path = E2eFolder.path().resolve(script).toAbsolutePath();
        try {
            var output = Files.createTempFile("berth-part", ".out");
            try {
                search(path, output);
                return Path.of(
                        Files.readAllLines(output, StandardCharsets.UTF_8).getLast());
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted");
        }
    }

    private static void search(Path script, Path output) throws IOException, InterruptedException, Unavailable {
        var search = new ProcessBuilder(script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(output.toFile())
                .start();
        if (!search.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
            search.descendants().forEach(ProcessHandle::destroy);
            search.destroy();
            throw new Unavailable("it could not be installed within %d minutes".formatted(INSTALL_MINUTES));
        }
        if (search.exitValue() != 0) throw new Unavailable(script + " found none; its output says why");
    }
}
