package dev.berth.e2e.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL server with a data directory of its own, which can be stopped and started again. */
public final class PostgresServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PASSWORD = "pass:word/1";
    /** The server refuses to run as root. */
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs");

    private final Path programs;
    private final Path folder;
    private final int port;
    private @Nullable GuardedProcess running;

    private PostgresServer(Path programs, Path folder, int port) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
    }

    /** A new one, without a table in it; the programs are installed first where that is possible. */
    public static PostgresServer start() throws SystemPart.Unavailable {
        var programs = SystemPart.find("postgres/find");
        try {
            var folder = Files.createTempDirectory("berth-postgres");
            var server = new PostgresServer(programs, folder, Ports.free());
            Files.writeString(folder.resolve("password"), PASSWORD);
            if (isRoot()) command("chown", "-R", "65534:65534", folder.toString());
            server.run(
                    "initdb",
                    "-D",
                    server.data(),
                    "-U",
                    "berth",
                    "--auth=scram-sha-256",
                    "--pwfile=" + folder.resolve("password"),
                    "--encoding=UTF8",
                    "--no-locale",
                    "--no-sync");
            server.resume();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it again after {@link #stop}, with what it held. */
    public void resume() {
        var command = program("postgres");
        command.addAll(List.of(
                "-D",
                data(),
                "-p",
                Integer.toString(port),
                "-h",
                "127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off"));
        var log = E2eFolder.target("postgres").resolve(port + ".log");
        var started = GuardedProcess.start(command, log);
        running = started;
        Await.until(
                PATIENCE,
                () -> !started.alive() || answers(),
                () -> "PostgreSQL does not start: " + started.lastWords());
        if (!started.alive()) throw new AssertionError("PostgreSQL ended: " + started.lastWords());
    }

    /** Its state file says "ready" when it takes connections. */
    private boolean answers() {
        try {
            return Files.readString(Path.of(data()).resolve("postmaster.pid")).contains("ready");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Ends it, and every connection with it. */
    public void stop() {
        var ending = running;
        running = null;
        if (ending == null) return;
        try {
            run("pg_ctl", "-D", data(), "-m", "fast", "-w", "stop");
        } finally {
            ending.close();
        }
    }

    /** {@code postgres://user:password@host:port/database} */
    public String url() {
        return "postgres://berth:pass%%3Aword%%2F1@127.0.0.1:%d/postgres".formatted(port);
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    private List<String> program(String name) {
        List<String> command = new ArrayList<>(isRoot() ? AS_NOBODY : List.of());
        command.add(programs.resolve(name).toString());
        return command;
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private void run(String name, String... arguments) {
        var command = program(name);
        command.addAll(List.of(arguments));
        command(command.toArray(String[]::new));
    }

    private static void command(String... words) {
        try {
            var process = new ProcessBuilder(words)
                    .directory(Path.of("/").toFile())
                    .redirectErrorStream(true)
                    .start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) throw new AssertionError(String.join(" ", words) + ": " + said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        stop();
        command("rm", "-rf", folder.toString());
    }
}
