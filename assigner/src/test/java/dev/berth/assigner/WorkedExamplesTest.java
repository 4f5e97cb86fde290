package dev.berth.assigner;

import static dev.berth.assigner.Stage.patch;
import static dev.berth.assigner.Stage.review;
import static dev.berth.assigner.Stage.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.wire.Keys;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract's examples A to D, over HTTP, with the node ledger shared and with the process's own. */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class WorkedExamplesTest {
    private static final String A100 =
            "eyJHUFUtQUFBXzEiOlsiZnVkby5vcmcvZ3B1LmExMDAiLCJmdWRvLm9yZy9ncHUudnJhbS44MGciXX0=";

    private final Stage stage;

    WorkedExamplesTest(boolean sharedLedger) {
        stage = new Stage(sharedLedger);
    }

    @AfterEach
    void close() throws Exception {
        stage.close();
    }

    @Test
    void oneGpuIsReservedAndTheNextPodIsRefused() throws Exception {
        stage.annotatedNode("n1", A100);
        stage.awaitDevice("GPU-AAA_1");

        var response = stage.mutate(review("req-1", "p1", 1, "a100"));

        assertThat(response.path("allowed").asBoolean()).as("%s", response).isTrue();
        assertThat(response.path("patchType").asText()).isEqualTo("JSONPatch");
        assertThat(response.has("status")).isFalse();
        assertThat(patch(response)).isEqualTo(Stage.JSON.readTree("""
                [{"op":"add","path":"/metadata/annotations","value":{}},
                 {"op":"add","path":"/metadata/annotations/fudo.org~1gpu.uuid","value":"GPU-AAA_1"},
                 {"op":"add","path":"/metadata/annotations/fudo.org~1gpu.node","value":"n1"},
                 {"op":"add","path":"/metadata/annotations/fudo.org~1gpu.reservation-id","value":"req-1"},
                 {"op":"add","path":"/metadata/annotations/cdi.k8s.io~1gpu-assignment","value":"nvidia.com/gpu=UUID=GPU-AAA_1"},
                 {"op":"add","path":"/spec/nodeName","value":"n1"}]"""));
        var lease = stage.lease("gpu-aaa-1").orElseThrow();
        assertThat(lease.getMetadata().getLabels())
                .isEqualTo(Map.of(Keys.UUID, "GPU-AAA_1", Keys.STATE, "proposal", Keys.POD_NAMESPACE, "default"));
        assertThat(lease.getMetadata().getAnnotations()).isEqualTo(Map.of(Keys.RESERVATION_ID, "req-1"));
        assertThat(lease.getSpec().getHolderIdentity()).isEqualTo("req-1");
        assertThat(lease.getSpec().getLeaseDurationSeconds()).isEqualTo(60);
        assertThat(lease.getSpec().getAcquireTime()).isEqualTo(lease.getSpec().getRenewTime());
        assertThat(lease.getSpec().getLeaseTransitions()).isNull();

        var second = stage.mutate(review("req-2", "p2", 1, "a100"));

        assertThat(second).isEqualTo(Stage.JSON.readTree("""
                {"uid":"req-2","allowed":false,"status":{"code":429,
                 "message":"no 1-GPU set with requested labels free for pod default/p2"}}"""));
        assertThat(stage.holder("gpu-aaa-1")).isEqualTo("req-1");
    }

    @Test
    void aLeaseWhosePodIsGoneIsTaken() throws Exception {
        stage.node("n1", "GPU-1=a100");
        leaseOf("gpu-1", "GPU-1", "gone-uid", "active");

        var response = stage.mutate(review("req-1", "p1", 1, "a100"));

        assertThat(response.path("allowed").asBoolean()).as("%s", response).isTrue();
        assertThat(stage.holder("gpu-1")).isEqualTo("req-1");
    }

    @Test
    void aLeaseThatLostItsLabelsIsTakenOnceItsPodIsGone() throws Exception {
        stage.node("n1", "GPU-1=a100");
        stage.cluster
                .client()
                .leases()
                .inNamespace(Stage.CLAIMS)
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("gpu-1")
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity("gone")
                        .endSpec()
                        .build())
                .create();

        assertThat(stage.mutate(review("req-1", "p1", 1, "a100"))
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void severalGpusComeFromOneNodeOrNotAtAll() throws Exception {
        stage.node("n1", "GPU-1=a100", "GPU-2=a100");
        stage.node("n2", "GPU-3=a100");

        var three = stage.mutate(review("req-3", "p3", 3, "a100"));

        assertThat(three.path("status").path("message").asText())
                .isEqualTo("no 3-GPU set with requested labels free for pod default/p3");
        assertThat(stage.leases()).isEmpty();

        var two = stage.mutate(review("req-2", "p2", 2, "a100"));

        assertThat(value(two, 2)).isEqualTo("n1");
        assertThat(Set.of(value(two, 1).split(","))).isEqualTo(Set.of("GPU-1", "GPU-2"));
        assertThat(stage.holder("gpu-1")).isEqualTo("req-2");
        assertThat(stage.holder("gpu-2")).isEqualTo("req-2");
    }

    @Test
    void whenOneOfTwoGpusIsHeldNothingIsLeftOnTheOther() throws Exception {
        stage.node("n1", "GPU-1=a100", "GPU-2=a100");
        stage.create("holder", stage.mutate(review("req-1", "holder", 1, "a100")));

        var two = stage.mutate(review("req-2", "p2", 2, "a100"));

        assertThat(two.path("status").path("code").asInt()).isEqualTo(429);
        assertThat(stage.leases()).containsExactly("gpu-1");
    }

    @Test
    void aReservationIsPromotedAndReleasedWithItsPod() throws Exception {
        stage.node("n1", "GPU-1=a100");
        var pod = stage.create("p1", stage.mutate(review("req-1", "p1", 1, "a100")));
        var uid = pod.getMetadata().getUid();

        Stage.await("promotion", () -> stage.holder("gpu-1").equals(uid));

        var lease = stage.lease("gpu-1").orElseThrow();
        assertThat(lease.getSpec().getLeaseDurationSeconds()).isEqualTo(300);
        assertThat(lease.getMetadata().getLabels()).containsEntry(Keys.STATE, "active");
        assertThat(lease.getMetadata().getAnnotations()).containsEntry(Keys.RESERVATION_ID, "req-1");
        assertThat(lease.getMetadata().getOwnerReferences()).isEmpty();

        stage.finish("p1", "Succeeded");

        Stage.await("release", () -> stage.lease("gpu-1").isEmpty());
        // The ledger's line goes after the Lease: for a moment the GPU is still held there.
        Stage.await("the ledger's release", () -> admitted("p2"));
    }

    @Test
    void aProposalWithoutAPodLivesItsMinuteAndNoLonger() throws Exception {
        stage.node("n1", "GPU-1=a100");
        stage.mutate(review("req-1", "p1", 1, "a100"));
        stage.pass(Duration.ofSeconds(59));

        assertThat(stage.mutate(review("req-2", "p2", 1, "a100"))
                        .path("allowed")
                        .asBoolean())
                .isFalse();

        stage.pass(Duration.ofSeconds(2));

        assertThat(stage.mutate(review("req-3", "p3", 1, "a100"))
                        .path("allowed")
                        .asBoolean())
                .isTrue();
        assertThat(stage.holder("gpu-1")).isEqualTo("req-3");
    }

    @Test
    void everyLabelIsRequiredWhateverItsValue() throws Exception {
        stage.node("n1", "GPU-1=a100");
        var review = review("req-1", "p1", 1);
        ((ObjectNode) review.at("/request/object/metadata/labels"))
                .put("fudo.org/gpu.a100", "false")
                .put("fudo.org/gpu.zzz", "x");

        assertThat(stage.mutate(review).path("status").path("code").asInt()).isEqualTo(429);
        assertThat(stage.mutate(review("req-2", "p2", 1, "assign"))
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void aGpuWithoutLabelsIsRefusedAndOtherPodsAreLeftAlone() throws Exception {
        stage.node("n1", "GPU-1=a100");

        assertThat(stage.mutate(review("req-1", "p1", 1))).isEqualTo(Stage.JSON.readTree("""
                {"uid":"req-1","allowed":false,"status":{"code":403,
                 "message":"pod default/p1 requests nvidia.com/gpu resources but specifies no fudo.org/gpu.* labels; add the appropriate labels to declare GPU requirements"}}"""));
        assertThat(stage.mutate(review("req-2", "p2", 0)))
                .isEqualTo(Stage.JSON.readTree("{\"uid\":\"req-2\",\"allowed\":true}"));
    }

    @Test
    void aDryRunChangesNothing() throws Exception {
        stage.node("n1", "GPU-1=a100");
        var review = review("req-1", "p1", 1, "a100");
        ((ObjectNode) review.path("request")).put("dryRun", true);

        assertThat(stage.mutate(review)).isEqualTo(Stage.JSON.readTree("""
                {"uid":"req-1","allowed":true,"status":{"code":200,"message":"dry-run: no mutation"}}"""));
        assertThat(stage.leases()).isEmpty();
    }

    private void leaseOf(String name, String uuid, String holder, String state) {
        stage.cluster
                .client()
                .leases()
                .inNamespace(Stage.CLAIMS)
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(Map.of(Keys.UUID, uuid, Keys.POD_NAMESPACE, "default", Keys.STATE, state))
                        .endMetadata()
                        .withNewSpec()
                        .withHolderIdentity(holder)
                        .withLeaseDurationSeconds(300)
                        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                        .endSpec()
                        .build())
                .create();
    }

    private boolean admitted(String pod) {
        try {
            return stage.mutate(review("req-" + pod + "-" + System.nanoTime(), pod, 1, "a100"))
                    .path("allowed")
                    .asBoolean();
        } catch (Exception problem) {
            throw new AssertionError(problem);
        }
    }
}
