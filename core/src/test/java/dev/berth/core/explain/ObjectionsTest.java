package dev.berth.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.verdict.Reason;
import dev.berth.core.verdict.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectionsTest {
    private static final NodeName NODE = new NodeName("n1");
    private static final Holder HOLDER = Holder.pod(Door.EXTENDER, "team", "train", "uid-1");

    private static Objection of(Reason reason) {
        return Objections.of(NODE, reason, (_, sentence) -> Objection.ofNode("unfit", sentence, ""));
    }

    private static Reason.Tally tally(int looked, int unsuited, int taken, int free) {
        return new Reason.Tally(
                looked,
                unsuited,
                unsuited == 0 ? Optional.empty() : Optional.of(new Reason.Example(new DeviceId("0"), "is a T4")),
                0,
                taken,
                taken == 0 ? List.of() : List.of(HOLDER),
                0,
                free);
    }

    @Test
    void devicesThatOthersHoldAreMissingByNumberAndTheHoldersAreNamed() {
        var objection = of(new Reason.TooFew("gpus", 4, tally(8, 0, 6, 2)));

        assertThat(objection.kind()).isEqualTo(Objection.Kind.TAKEN);
        assertThat(objection.group()).isEqualTo("taken");
        assertThat(objection.missing()).isEqualTo(2);
        assertThat(objection.remedy()).isEqualTo("free 2 GPUs on n1: wait for team/train");
    }

    @Test
    void devicesOfAnotherKindAreNoUseHoweverManyAreFree() {
        var objection = of(new Reason.TooFew("gpus", 1, tally(8, 8, 0, 0)));

        assertThat(objection.kind()).isEqualTo(Objection.Kind.UNSUITED);
        assertThat(objection.group()).isEqualTo("is a T4");
    }

    @Test
    void aNodeThatIsTooSmallSaysHowMuchItCouldGive() {
        var objection = of(new Reason.TooFew("gpus", 4, tally(2, 0, 0, 2)));

        assertThat(objection.kind()).isEqualTo(Objection.Kind.UNSUITED);
        assertThat(objection.remedy()).isEqualTo("ask for at most 2");
    }

    @Test
    void whatIsLeftOfACapacityIsSaidInNumbers() {
        var objection = of(new Reason.TooLittle("gpu", "memory", Quantity.of(30), Quantity.of(12)));

        assertThat(objection.remedy()).isEqualTo("free 18 memory on n1, or ask for 12");
    }

    @Test
    void aNodeThatItselfWillNotDoIsToldOfByWhoKnowsNodes() {
        assertThat(of(new Reason.Unfit("cordoned")).group()).isEqualTo("unfit");
    }

    @Test
    void nodesWithTheSameReasonAreToldOfTogetherTheCommonestFirst() {
        var refusal = new Refusal(Map.of(
                new NodeName("a"), new Reason.TooFew("gpus", 1, tally(8, 0, 8, 0)),
                new NodeName("b"), new Reason.TooFew("gpus", 1, tally(4, 0, 4, 0)),
                new NodeName("c"), new Reason.NoDevices()));

        var answer = Objections.of(refusal, (_, sentence) -> Objection.ofNode("unfit", sentence, ""));

        assertThat(Grouped.of(answer.objections())).hasToString("2 nodes: taken; c: no devices");
        assertThat(Grouped.nearest(answer.objections())).contains(new NodeName("a"));
    }

    @Test
    void theNearestNodeIsTheOneOnWhichTheFewestDevicesHaveToBecomeFree() {
        var objections = Map.of(
                new NodeName("a"), Objection.taken("taken", "wants 4, 1 free", 3, ""),
                new NodeName("b"), Objection.taken("taken", "wants 4, 3 free", 1, ""),
                new NodeName("c"), Objection.ofNode("cordoned", "cordoned", ""));

        assertThat(Grouped.nearest(objections)).contains(new NodeName("b"));
    }
}
