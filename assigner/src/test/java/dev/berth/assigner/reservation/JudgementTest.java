package dev.berth.assigner.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.assigner.wire.Keys;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JudgementTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Duration RENEW = Duration.ofSeconds(30);

    @Test
    void anUnexpiredProposalIsKeptThoughNoPodIsThere() {
        assertThat(judge(proposal(), NOON.plusSeconds(59))).isEqualTo(new Judgement.Keep());
    }

    @Test
    void anExpiredProposalWithoutAPodGoes() {
        assertThat(judge(proposal(), NOON.plusSeconds(60))).isInstanceOf(Judgement.Delete.class);
    }

    @Test
    void aProposalIsPromotedToThePodThatCarriesIt() {
        var pod = pod("u1", "r1", "GPU-1", "Pending");

        assertThat(judge(proposal(), NOON, pod)).isEqualTo(new Judgement.Promote(pod));
    }

    @Test
    void evenAnExpiredProposalIsPromotedWhenItsPodIsThere() {
        var pod = pod("u1", "r1", "GPU-1", "Running");

        assertThat(judge(proposal(), NOON.plusSeconds(600), pod)).isEqualTo(new Judgement.Promote(pod));
    }

    @Test
    void aPodOfAnotherGpuOrReservationDoesNotCount() {
        assertThat(judge(proposal(), NOON, pod("u1", "r1", "GPU-11", "Running")))
                .isEqualTo(new Judgement.Keep());
        assertThat(judge(proposal(), NOON, pod("u1", "r2", "GPU-1", "Running"))).isEqualTo(new Judgement.Keep());
    }

    @Test
    void anExpiredProposalThatAnotherHoldsIsNotGivenAwayUnderItsPod() {
        var proposal = proposal();
        proposal.lease().getSpec().setHolderIdentity("somebody");

        assertThat(judge(proposal, NOON.plusSeconds(600), pod("u1", "r1", "GPU-1", "Running")))
                .isEqualTo(new Judgement.Keep());
        assertThat(judge(proposal, NOON.plusSeconds(600))).isInstanceOf(Judgement.Delete.class);
    }

    @Test
    void aProposalWhosePodHasFinishedGoes() {
        assertThat(judge(proposal(), NOON, pod("u1", "r1", "GPU-1", "Failed"))).isInstanceOf(Judgement.Delete.class);
    }

    @Test
    void anActiveOneIsRenewedWhenItIsTime() {
        var pod = pod("u1", "r1", "GPU-1", "Running");

        assertThat(judge(active("u1"), NOON.plusSeconds(29), pod)).isEqualTo(new Judgement.Keep());
        assertThat(judge(active("u1"), NOON.plusSeconds(30), pod)).isEqualTo(new Judgement.Renew());
        assertThat(judge(active("u1"), NOON.plusSeconds(9000), pod)).isEqualTo(new Judgement.Renew());
    }

    @Test
    void anActiveOneGoesWithItsPod() {
        assertThat(judge(active("u1"), NOON)).isInstanceOf(Judgement.Delete.class);
        assertThat(judge(active("u1"), NOON, pod("u1", "r1", "GPU-1", "Succeeded")))
                .isInstanceOf(Judgement.Delete.class);
    }

    @Test
    void aPodThatIsBeingDeletedStillHoldsItsGpu() {
        var going = new PodBuilder(pod("u1", "r1", "GPU-1", "Running"))
                .editMetadata()
                .withDeletionTimestamp("2026-01-01T12:00:00Z")
                .endMetadata()
                .build();

        assertThat(judge(active("u1"), NOON, going)).isEqualTo(new Judgement.Keep());
    }

    @Test
    void oneThatWasFinalizedForTheWrongUidIsGivenToThePodThatCarriesIt() {
        var pod = pod("u1", "r1", "GPU-1", "Running");

        assertThat(judge(active("nobody"), NOON, pod)).isEqualTo(new Judgement.Promote(pod));
    }

    @Test
    void oneThatNobodyHoldsGoes() {
        assertThat(judge(active(""), NOON)).isInstanceOf(Judgement.Delete.class);
    }

    private static Judgement judge(Reservation reservation, Instant now, Pod... pods) {
        return Judgement.of(reservation, "GPU-1", List.of(pods), now, RENEW);
    }

    private static Reservation proposal() {
        return reservation("r1", "proposal", 60);
    }

    private static Reservation active(String holder) {
        return reservation(holder, "active", 300);
    }

    private static Reservation reservation(String holder, String state, int seconds) {
        return new Reservation(new LeaseBuilder()
                .withNewMetadata()
                .withName("gpu-1")
                .withLabels(Map.of(Keys.STATE, state, Keys.UUID, "GPU-1", Keys.POD_NAMESPACE, "default"))
                .withAnnotations(Map.of(Keys.RESERVATION_ID, "r1"))
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(holder)
                .withLeaseDurationSeconds(seconds)
                .withRenewTime(NOON.atZone(ZoneOffset.UTC))
                .endSpec()
                .build());
    }

    private static Pod pod(String uid, String reservation, String uuid, String phase) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("p1")
                .withUid(uid)
                .withAnnotations(Map.of(Keys.RESERVATION_ID, reservation, Keys.UUID, uuid, Keys.NODE, "n1"))
                .endMetadata()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }
}
