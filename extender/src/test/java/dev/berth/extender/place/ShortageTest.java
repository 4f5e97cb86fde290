package dev.berth.extender.place;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.core.explain.Objection;
import dev.berth.core.share.Slice;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.GpuLabels;
import dev.berth.extender.quota.QuotaRules;
import dev.berth.extender.wire.GpuPod;
import dev.berth.extender.wire.GpuPod.GpuContainer;
import dev.berth.kube.cache.Change;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShortageTest {
    private static final NodeName NODE = new NodeName("n1");

    private Ledger ledger = Ledger.EMPTY;

    private static GpuPod pod(long cores, long memory) {
        var container = new GpuContainer("main", new Slice(cores, memory), false);
        return new GpuPod("team", "asked", "uid-asked", "", "", Map.of(), List.of(container), List.of(), false);
    }

    private Objection on(GpuPod pod, String quota, String reason) {
        var board = new Board(GpuLabels.STANDARD);
        board.heardNode(new Change.Added<>(new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .addToLabels(GpuLabels.STANDARD.model(), "M40")
                .endMetadata()
                .withNewStatus()
                .addToCapacity("tencent.com/vcuda-core", new io.fabric8.kubernetes.api.model.Quantity("200"))
                .addToCapacity("tencent.com/vcuda-memory", new io.fabric8.kubernetes.api.model.Quantity("64"))
                .endStatus()
                .build()));
        board.turned(NODE, Holdings.EMPTY, ledger.of(NODE));
        return new Shortage(pod, board, QuotaRules.parse(quota), ledger).on(NODE, reason);
    }

    private void held(int device, Share share) {
        var entry = Entry.confirmed(
                DeviceId.ofIndex(device),
                Holder.pod(Door.EXTENDER, "team", "holder-" + device, "uid-" + device),
                share);
        ledger = ledger.with(NODE, ledger.of(NODE).recording(entry));
    }

    private static Share part(long cores, long memory) {
        return new Share.Part(Map.of("cores", Quantity.of(cores), "memory", Quantity.of(memory)));
    }

    @Test
    void wholeGpusAreMissingByNumberAndTheirHoldersNamed() {
        held(0, Share.WHOLE);
        held(1, part(10, 4));

        var objection = on(pod(200, 0), "{}", "");

        assertThat(objection.sentence()).isEqualTo("wants 2 whole GPUs, 0 of 2 untouched");
        assertThat(objection.missing()).isEqualTo(2);
        assertThat(objection.remedy()).isEqualTo("free 2 GPUs on n1: wait for team/holder-0, team/holder-1");
    }

    @Test
    void aPartIsToldWhatTheEmptiestGpuHasLeft() {
        held(0, Share.WHOLE);
        held(1, part(70, 4));

        var objection = on(pod(50, 8), "{}", "");

        assertThat(objection.sentence())
                .isEqualTo("wants 50 cores and 8 of memory on one GPU; the emptiest, GPU 1, has 30 and 28 left");
        assertThat(objection.remedy())
                .isEqualTo("free 20 cores and 0 of memory of one GPU on n1: wait for team/holder-1");
    }

    @Test
    void moreThanTheNodeHasIsNoMatterOfWaiting() {
        assertThat(on(pod(400, 0), "{}", "").kind()).isEqualTo(Objection.Kind.UNSUITED);
        assertThat(on(pod(50, 40), "{}", "").sentence()).isEqualTo("wants 40 of memory on one GPU, each has 32");
    }

    @Test
    void aQuotaIsToldByHowMuchItWouldHaveToBeRaised() {
        held(0, Share.WHOLE);

        var objection = on(pod(100, 0), "{\"team\": {\"quota\": {\"M40\": 1}}}", Reasons.overQuota("M40", 100, 100));

        assertThat(objection.kind()).isEqualTo(Objection.Kind.QUOTA);
        assertThat(objection.sentence()).isEqualTo("team wants 100 cores of M40; 100 of 100 are used");
        assertThat(objection.remedy()).isEqualTo("raise the quota of namespace team for M40 by 1 to 2 GPUs");
    }
}
