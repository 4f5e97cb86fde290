package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The programs of the real control plane, built on first use into the user's cache directory. */
public record Programs(Path directory) {
    private static final long BUILD_MINUTES = 30;

    /** Why there are no programs; tests on the real server are skipped then. */
    public static final class Unavailable extends Exception {
        Unavailable(String reason) {
            super(reason);
        }
    }

    /** Finds the programs, or builds them with the progress on the console. */
    public static Programs find() throws Unavailable {
        var script = E2eFolder.path().resolve("controlplane/build").toAbsolutePath();
        try {
            var output = Files.createTempFile("berth-programs", ".out");
            var build = new ProcessBuilder(List.of(script.toString()))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(output.toFile())
                    .start();
            if (!build.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)) {
                build.descendants().forEach(ProcessHandle::destroy);
                build.destroy();
                throw new Unavailable(
                        "the build of the control plane took more than %d minutes".formatted(BUILD_MINUTES));
            }
            var lines = Files.readAllLines(output, StandardCharsets.UTF_8);
            Files.delete(output);
            if (build.exitValue() == 3) throw new Unavailable("Go is not on the PATH and the programs are not cached");
            if (build.exitValue() != 0) {
                throw new Unavailable(
                        "%s failed with code %d; its output says why".formatted(script, build.exitValue()));
            }
            return new Programs(Path.of(lines.getLast()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("interrupted");
        }
    }

    public String path(String program) {
        return directory.resolve(program).toString();
    }
}
