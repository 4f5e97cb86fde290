package dev.berth.cli;

import dev.berth.advisor.agent.AgentSettings;
import dev.berth.cli.door.Parts;
import dev.berth.cli.up.Door;
import dev.berth.cli.up.OpenDoors;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Doors that are open on a cluster, and that cluster where it is our own. */
final class RunningUp implements AutoCloseable {
    /**
     * How the doors are opened.
     *
     * @param webhookHost the address at which the API server finds this machine
     * @param advisorFolder where the advisor keeps what it learns, unless the environment says; empty for as long as we
     *     run
     */
    record Opening(Set<Door> doors, boolean defaultScheduler, String webhookHost, Optional<Path> advisorFolder) {}

    private final Cluster cluster;
    private final Parts parts = new Parts();
    private final OpenDoors doors;

    private RunningUp(Optional<OwnCluster> own, Cluster cluster, Opening opening, InstantSource clock) {
        this.cluster = cluster;
        own.ifPresent(parts::keep);
        parts.keep(cluster);
        try {
            this.doors = OpenDoors.open(
                    cluster,
                    new OpenDoors.Settings(
                            opening.doors(),
                            opening.defaultScheduler(),
                            opening.webhookHost(),
                            // A restarted process is another one, even on the same machine.
                            "%s-%s".formatted(Instance.name("up"), UUID.randomUUID()),
                            "berth-" + Version.current(),
                            agent(opening.advisorFolder())),
                    clock);
        } catch (RuntimeException failed) {
            parts.close();
            throw failed;
        }
        parts.keep(doors);
    }

    /** On the embedded API server, with simulated nodes. */
    static RunningUp on(OwnCluster own, Opening opening, InstantSource clock) {
        var cluster = Cluster.connect(new ConnectionSettings.At(URI.create(own.url())));
        return new RunningUp(Optional.of(own), cluster, opening, clock);
    }

    /** On a cluster that somebody else runs; closed with this. */
    static RunningUp on(Cluster cluster, Opening opening, InstantSource clock) {
        if (!opening.doors().isEmpty()) Definitions.install(cluster);
        return new RunningUp(Optional.empty(), cluster, opening, clock);
    }

    private AgentSettings agent(Optional<Path> folder) {
        var environment = new HashMap<>(System.getenv());
        if (!environment.containsKey("SCHEDULER_STORE_URL") && !environment.containsKey("SCHEDULER_SQLITE_PATH")) {
            try {
                var kept = folder.isPresent() ? Files.createDirectories(folder.get()) : temporary();
                environment.put(
                        "SCHEDULER_SQLITE_PATH", kept.resolve("advisor.db").toString());
            } catch (IOException unwritable) {
                throw new UncheckedIOException("no place for what the advisor learns: " + unwritable, unwritable);
            }
        }
        try {
            return AgentSettings.of(environment);
        } catch (AgentSettings.BadSettingException bad) {
            throw new Complaint.BadInput(String.valueOf(bad.getMessage()));
        }
    }

    private Path temporary() throws IOException {
        var folder = Files.createTempDirectory("berth-up");
        parts.keep(() -> {
            try (var files = Files.list(folder)) {
                for (var file : files.toList()) Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        });
        return folder;
    }

    Cluster cluster() {
        return cluster;
    }

    OpenDoors doors() {
        return doors;
    }

    @Override
    public void close() {
        parts.close();
    }
}
