package dev.berth.assigner.place;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.reservation.HeldGpus;
import dev.berth.assigner.reservation.Reservation;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.reservation.Rhythm;
import dev.berth.assigner.reservation.Upkeep;
import dev.berth.assigner.wire.AssignmentPatch;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.ledger.NodeLedgers;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** Where requests are decided and reservations are kept: puts the parts of both together. */
public final class Desk implements AutoCloseable {
    /**
     * What is known of the cluster.
     *
     * @param complete whether all of it was heard once
     */
    public record Knowledge(
            Gpus gpus, NodeRooms rooms, Reservations reservations, Pods pods, BooleanSupplier complete) {}

    /**
     * Which GPUs are taken, how pods are changed, how often reservations are looked at, how long a decision may take.
     */
    public record Settings(Policy policy, AssignmentPatch patch, Rhythm rhythm, Duration patience) {}

    private final Books books;
    private final Upkeep upkeep;
    private final Admissions admissions;
    private final Answers answers;

    private Desk(Books books, Answers answers, Upkeep upkeep, Admissions admissions) {
        this.books = books;
        this.answers = answers;
        this.upkeep = upkeep;
        this.admissions = admissions;
    }

    /** To be opened before the caches start, so that nothing is missed. */
    public static Desk open(
            Cluster cluster,
            NodeLedgers ledgers,
            Knowledge known,
            Settings settings,
            PrometheusRegistry registry,
            InstantSource clock) {
        var held = new HeldGpus(cluster, known.gpus(), known.reservations(), known.pods(), ledgers::ledger);
        var books = new Books(ledgers, known.gpus(), known.reservations(), held, clock);
        var answers = new Answers(known.reservations(), known.gpus(), clock);
        var upkeep = new Upkeep(
                cluster,
                known.reservations(),
                known.gpus(),
                known.pods(),
                books,
                clock,
                settings.rhythm(),
                answers::madeHere);
        var placer = new Placer(
                known.gpus(),
                known.rooms(),
                books,
                known.reservations(),
                upkeep,
                new Choices(known.gpus(), known.rooms(), settings.policy()),
                known.complete(),
                clock);
        letGoOfAssumptions(known);
        upkeep.start();
        return new Desk(
                books,
                answers,
                upkeep,
                new Admissions(
                        answers,
                        placer,
                        settings.patch(),
                        cluster.watched(),
                        settings.patience(),
                        new PlacementMetrics(registry)));
    }

    /** A pod that was admitted counts on its node from then on; once it is seen there, it counts by itself. */
    private static void letGoOfAssumptions(Knowledge known) {
        known.pods().onChange(change -> {
            var node = change.newest().getSpec().getNodeName();
            if (node != null && !node.isEmpty()) {
                Upkeep.reservationOf(change.newest()).forEach(known.rooms()::takeBack);
            }
        });
        known.reservations().onChange(change -> {
            if (change instanceof Change.Removed<?>) {
                known.rooms().takeBack(new Reservation(change.newest()).id());
            }
        });
    }

    public Admissions admissions() {
        return admissions;
    }

    /** Whether this process made the reservation of this id. */
    public boolean madeHere(String reservation) {
        return answers.madeHere(reservation);
    }

    public boolean synced() {
        return books.synced();
    }

    /** The reservation of this GPU was written by somebody else than us. */
    public void changed(String uuid) {
        books.changed(uuid);
    }

    @Override
    public void close() {
        upkeep.close();
        books.close();
    }
}
