package dev.berth.assigner.reservation;

import dev.berth.assigner.wire.Assignment;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What is to be done about a reservation, given the pods that may be its. Pure: whoever asks does it. */
sealed interface Judgement {
    /** Nothing now. */
    record Keep() implements Judgement {}

    /** Its pod lives: say so again. */
    record Renew() implements Judgement {}

    /** Its pod is there: from now on the pod holds it. */
    record Promote(Pod pod) implements Judgement {}

    /** Nobody holds it, for this reason. To be done only when the API server itself has shown these pods. */
    record Delete(String why) implements Judgement {}

    /**
     * A pod that is being deleted still holds its GPU: its containers run until it is gone.
     *
     * @param uuid the GPU
     * @param pods at least those of the reservation's namespace with its holder's uid or its id; others do no harm
     * @param renewEvery how old a renewal must be to be repeated
     */
    static Judgement of(Reservation reservation, String uuid, Collection<Pod> pods, Instant now, Duration renewEvery) {
        if (reservation.holder().isBlank()) {
            return new Delete("it is held by nobody");
        }
        return reservation.proposal()
                ? ofProposal(reservation, uuid, pods, now)
                : ofActive(reservation, uuid, pods, now, renewEvery);
    }

    private static Judgement ofProposal(Reservation reservation, String uuid, Collection<Pod> pods, Instant now) {
        var pod = byReservation(reservation, uuid, pods);
        if (pod.isPresent() && Sighting.finished(pod.get())) {
            return new Delete("its pod has finished");
        }
        if (pod.isPresent()) {
            // Held by another than it says: not to be handed on, nor to be given away under a pod that uses the GPU.
            return reservation.holder().equals(reservation.id()) ? new Promote(pod.get()) : new Keep();
        }
        return reservation.expiredAt(now) ? new Delete("it was proposed and no pod came") : new Keep();
    }

    private static Judgement ofActive(
            Reservation reservation, String uuid, Collection<Pod> pods, Instant now, Duration renewEvery) {
        var holder = pods.stream()
                .filter(pod -> reservation.holder().equals(pod.getMetadata().getUid()))
                .findFirst();
        if (holder.isEmpty()) {
            // Somebody finalized it for another uid than the pod got: the pod that carries it is the one that uses it.
            return byReservation(reservation, uuid, pods)
                    .filter(pod -> !Sighting.finished(pod))
                    .<Judgement>map(Promote::new)
                    .orElseGet(() -> new Delete("its pod is gone"));
        }
        if (Sighting.finished(holder.get())) {
            return new Delete("its pod has finished");
        }
        return now.isBefore(reservation.renewed().plus(renewEvery)) ? new Keep() : new Renew();
    }

    private static Optional<Pod> byReservation(Reservation reservation, String uuid, Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> Assignment.of(pod)
                        .filter(assignment ->
                                assignment.reservation().equals(reservation.id()) && assignment.uses(uuid))
                        .isPresent())
                // Of a pod that ended and one that runs under the same reservation, the running one counts.
                .min(Comparator.comparing(Sighting::finished));
    }
}
