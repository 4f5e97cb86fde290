package dev.berth.e2e.chart;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The real helm as a subprocess, for one cluster or for none. */
public final class Helm {
    private static final long PATIENCE_SECONDS = 150;

    private final Programs programs;
    private final Optional<Path> kubeconfig;

    private Helm(Programs programs, Optional<Path> kubeconfig) {
        this.programs = programs;
        this.kubeconfig = kubeconfig;
    }

    /** How helm ended, and what it printed; on standard error it also tells of every link that it follows. */
    public record Outcome(int exitCode, String out, String err) {
        public String output() {
            return out + err;
        }
    }

    public static Helm on(Cluster cluster) throws Programs.Unavailable {
        return new Helm(Programs.find(), Optional.of(cluster.kubeconfig()));
    }

    /** For {@code lint} and {@code template}, which ask no cluster. */
    public static Helm offline() throws Programs.Unavailable {
        return new Helm(Programs.find(), Optional.empty());
    }

    /** The charts of this repository. */
    public static Path chart(String name) {
        return E2eFolder.path()
                .toAbsolutePath()
                .normalize()
                .resolveSibling("charts")
                .resolve(name);
    }

    /** What helm prints; fails unless it succeeds. */
    public String run(String... arguments) {
        var outcome = attempt(arguments);
        if (outcome.exitCode() != 0) {
            throw new AssertionError("helm %s: exit %d%n%s"
                    .formatted(String.join(" ", arguments), outcome.exitCode(), outcome.output()));
        }
        return outcome.out();
    }

    public Outcome attempt(String... arguments) {
        List<String> command = new ArrayList<>(List.of(programs.path("helm")));
        command.addAll(List.of(arguments));
        try {
            var home = Files.createDirectories(E2eFolder.target("home-of-helm"));
            var out = Files.createTempFile(home, "out", "");
            var err = Files.createTempFile(home, "err", "");
            var builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().put("HOME", home.toString());
            builder.environment()
                    .put("KUBECONFIG", kubeconfig.map(Path::toString).orElse("/dev/null"));
            var process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(
                        "helm %s did not end within %d s".formatted(String.join(" ", arguments), PATIENCE_SECONDS));
            }
            var outcome = new Outcome(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
            Files.delete(out);
            Files.delete(err);
            return outcome;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
