package dev.berth.assigner.reservation;

import dev.berth.assigner.wire.FinalizeRequest;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.kube.lease.LeaseOutcome;
import java.util.Optional;
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
        var name = LeaseName.of(request.uuid());
        var there = name.isEmpty() ? Optional.<Reservation>empty() : reservations.read(name);
        if (there.isEmpty()) {
            return Answer.ABSENT;
        }
        var reservation = there.get();
        // A proposal may be held by this uid too: a pod that had one when it was admitted lends it to its reservation.
        if (!reservation.proposal() && reservation.holder().equals(request.uid())) {
            return Answer.DONE;
        }
        boolean its = reservation.proposal()
                && reservation.id().equals(request.reservation())
                && reservation.namespace().orElse(request.namespace()).equals(request.namespace());
        if (!its) {
            return Answer.TAKEN;
        }
        // The Lease knows how the GPU's UUID is spelt; callers write it in small letters too.
        var uuid = reservation.uuidLabel().orElse(request.uuid());
        return switch (reservations.promote(reservation, uuid, request.namespace(), request.uid())) {
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
