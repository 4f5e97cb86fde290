package dev.berth.e2e.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.BerthProcess;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ten thousand people connect to a door, ask one thing each and then stay on the line: whoever comes next is served,
 * within the door's 256 MiB. With {@code -Didle.wait=200} the test stays until the last of them was shown the door.
 */
class IdleConnectionsIT {
    private static final Logger LOG = LoggerFactory.getLogger(IdleConnectionsIT.class);
    private static final int MANY = 10_000;
    /** So many make the door load and compile what visitors need, which it keeps. */
    private static final int FIRST_FEW = 1_000;
    /** As in a container of 256 MiB. */
    private static final String SMALL = "-XX:MaxRAM=256m";

    private static final long MOST_KILOBYTES = 256 * 1024;
    private static final long GIVEN_BACK_BUT = 32 * 1024;
    private static final Duration WAIT = Duration.ofSeconds(Integer.getInteger("idle.wait", 0));
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern PORT = Pattern.compile("listener=\\w+ address=127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    private Path folder = Path.of(".");

    @Test
    @Timeout(600)
    void onAPlainListener() throws Exception {
        var log = log("plain");
        var environment = Map.of(
                "BERTH_JAVA_OPTS",
                SMALL,
                "SCHEDULER_HOST",
                "127.0.0.1",
                "SCHEDULER_SQLITE_PATH",
                folder.resolve("agent.db").toString());
        try (var door = BerthProcess.launch(log, environment, "listening", "advisor", "agent", "--port=0")) {
            besiege(door, new Visitors(port(log), false));
        }
    }

    @Test
    @Timeout(600)
    void onAListenerWithTls() throws Exception {
        var log = log("tls");
        try (var door = BerthProcess.launch(
                log,
                Map.of("BERTH_JAVA_OPTS", SMALL),
                "listening",
                "pinner",
                "webhook",
                "--self-signed",
                "--bind-address=127.0.0.1",
                "--webhook-port=0")) {
            besiege(door, new Visitors(port(log), true));
        }
    }

    private static void besiege(GuardedProcess door, Visitors visitors) throws Exception {
        try (visitors;
                var scale = new Scale(door.pid())) {
            Await.until(PATIENCE, () -> isServed(visitors, "/readyz"), () -> "not ready: " + door.lastWords());
            int before = files(door);
            assertThat(visitors.come(FIRST_FEW)).isZero();
            visitors.close();
            Await.until(PATIENCE, () -> files(door) <= before + 5, () -> files(door) + " files are open");
            collectGarbage(door);
            var atFirst = scale.now();
            LOG.info("idle: at first {} files={}", atFirst, before);

            int unanswered = visitors.come(MANY);

            LOG.info("idle: with {} {} files={}", MANY, scale.now(), files(door));
            assertThat(unanswered).as("who were not answered at all").isZero();
            assertSomebodyNewIsServed(visitors);
            if (WAIT.isPositive()) stay(door, visitors, before);

            visitors.close();

            Await.until(PATIENCE, () -> files(door) <= before + 5, () -> files(door) + " files are open");
            assertSomebodyNewIsServed(visitors);
            collectGarbage(door);
            // The JVM returns what the C library holds every five seconds.
            Await.until(
                    PATIENCE,
                    () -> scale.now().own() < atFirst.own() + GIVEN_BACK_BUT,
                    () -> "at first %s, still %s".formatted(atFirst, scale.now()));
            LOG.info("idle: when they are gone {}, at most {} KiB of its own", scale.now(), scale.most());
            assertThat(scale.most()).as("KiB of its own, at any time").isLessThan(MOST_KILOBYTES);
            assertThat(door.alive()).isTrue();
        }
    }

    private static void collectGarbage(GuardedProcess door) throws IOException, InterruptedException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        for (int round = 0; round < 2; round++) {
            var run = new ProcessBuilder(jcmd, Long.toString(door.pid()), "GC.run")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(run.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** The door's own patience with them is three minutes. */
    private static void stay(GuardedProcess door, Visitors visitors, int before) {
        Await.until(WAIT, () -> files(door) <= before + 5, () -> files(door) + " files are open");
        LOG.info("idle: all were sent away");
        assertThat(isServed(visitors, "/readyz")).isTrue();
    }

    private static void assertSomebodyNewIsServed(Visitors visitors) throws IOException {
        for (var path : List.of("/healthz", "/readyz", "/metrics")) {
            var took = visitors.passer(path);
            LOG.info("idle: {} took {} ms", path, took.toMillis());
            assertThat(took).as(path).isLessThan(SOON);
        }
    }

    private static boolean isServed(Visitors visitors, String path) {
        try {
            visitors.passer(path);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Path log(String name) throws IOException {
        var log = E2eFolder.target("idle").resolve(name + ".log");
        Files.deleteIfExists(log);
        return log;
    }

    private static int port(Path log) throws IOException {
        var line = PORT.matcher(Files.readString(log));
        if (!line.find()) throw new AssertionError("the door does not say where it listens");
        return Integer.parseInt(line.group(1));
    }

    private static int files(GuardedProcess door) {
        try (var files = Files.list(Path.of("/proc/%d/fd".formatted(door.pid())))) {
            return (int) files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
