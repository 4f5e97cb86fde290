package dev.berth.assigner.reservation;

import dev.berth.assigner.wire.FinalizeRequest;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.kube.lease.LeaseOutcome;
import java.util.function.Consumer;

/** Hands reservations to their pods on a caller's word. */
public final class Promotions {
    /** What became of the caller's wish. */
    public enum Answer {
        /** It is this pod's, since now or before. */
        DONE,
        /** Nothing is reserved on this GPU. */
        ABSENT,
        /** Somebody else has it. */
        TAKEN
    }

    private final Reservations reservations;
    private final Consumer<String> changed;

    /** @param changed is told of a GPU whose reservation was written */
    public Promotions(Reservations reservations, Consumer<String> changed) {
        this.reservations = reservations;
        this.changed = changed;
    }

    /** Throws what the API server answered when it could not be asked. */
    public Answer promote(FinalizeRequest request) {
        var there = reservations.read(LeaseName.of(request.uuid()));
        if (there.isEmpty()) {
            return Answer.ABSENT;
        }
        var reservation = there.get();
        if (reservation.holder().equals(request.uid())) {
            return Answer.DONE;
        }
        boolean its = reservation.proposal()
                && reservation.id().equals(request.reservation())
                && reservation.namespace().orElse(request.namespace()).equals(request.namespace());
        if (!its) {
            return Answer.TAKEN;
        }
        return switch (reservations.promote(reservation, request.uuid(), request.namespace(), request.uid())) {
            case LeaseOutcome.Acquired _ -> {
                changed.accept(request.uuid());
                yield Answer.DONE;
            }
            case LeaseOutcome.HeldBy _ -> Answer.TAKEN;
            case LeaseOutcome.Lost _ ->
                reservations.read(reservation.name()).isPresent() ? Answer.TAKEN : Answer.ABSENT;
        };
    }
}
