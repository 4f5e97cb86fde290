package dev.berth.core.card;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CardNamesTest {
    private static final NodeName NODE = new NodeName("n1");
    private static final List<String> UUIDS = List.of("GPU-c", "GPU-a", "GPU-b");
    private static final List<Device> NUMBERED = Device.numbered(NODE, 3);
    private static final List<Device> LABELLED = List.of(labelled("GPU-a"), labelled("GPU-b"), labelled("GPU-c"));

    private static final Share HALF = new Share.Part(Map.of("cores", Quantity.of(50)));
    private static final Holder ASSIGNED = Holder.pod(Door.ASSIGNER, "default", "assigned", "uid-assigned");
    private static final Holder PINNED = Holder.pod(Door.PINNER, "default", "pinned", "uid-pinned");
    private static final Holder SHARED = Holder.pod(Door.EXTENDER, "default", "shared", "uid-shared");
    private static final Holder CLAIMED = Holder.pod(Door.CLAIMS, "default", "claimed", "uid-claimed");
    private static final Holder PLAIN = Holder.pod(Door.OUTSIDE, "default", "plain", "uid-plain");

    private static Device labelled(String uuid) {
        return new Device(new DeviceId(uuid), NODE).withUuid(uuid);
    }

    private static Device pooled(String name) {
        return new Device(new DeviceId("pool/" + name), NODE);
    }

    private static CardNames names(Door door, List<Device> devices, List<String> uuids) {
        return new CardNames(door, devices, uuids, _ -> false);
    }

    private static Holdings written(Entry... entries) {
        return Holdings.of(List.of(entries));
    }

    private static Entry whole(String device, Holder holder) {
        return Entry.confirmed(new DeviceId(device), holder, Share.WHOLE);
    }

    /** As when a driver of the prototype and one of resource.k8s.io tell of the same GPU. */
    @Test
    void aCardThatIsPublishedTwiceIsHeldUnderBothNamesAndWrittenOnce() {
        var twice =
                List.of(pooled("gpu").withUuid("GPU-a"), new Device(new DeviceId("d/p/gpu"), NODE).withUuid("GPU-a"));
        var claims = names(Door.CLAIMS, twice, List.of("GPU-a"));

        var others = written(whole("GPU-a", PINNED));
        assertThat(claims.inward(others, List.of()))
                .isEqualTo(written(whole("pool/gpu", PINNED), whole("d/p/gpu", PINNED)));

        var empty = written();
        var taken = claims.outward(empty, empty, written(whole("d/p/gpu", CLAIMED)));
        assertThat(taken).isEqualTo(written(whole("GPU-a", CLAIMED)));

        var seen = claims.inward(taken, List.of());
        assertThat(seen).isEqualTo(written(whole("pool/gpu", CLAIMED), whole("d/p/gpu", CLAIMED)));
        assertThat(claims.outward(taken, seen, written(whole("pool/gpu", CLAIMED))))
                .isEqualTo(written());
    }

    @Test
    void aCardHeldByItsUuidIsHeldUnderItsIndexToo() {
        var pinner = names(Door.PINNER, NUMBERED, UUIDS);

        assertThat(pinner.inward(written(whole("GPU-a", ASSIGNED)), List.of()))
                .isEqualTo(written(whole("1", ASSIGNED)));
    }

    @Test
    void aDoorsOwnLinesAreWrittenUnderTheUuidAndReadUnderTheIndex() {
        var extender = names(Door.EXTENDER, NUMBERED, UUIDS);
        var half = Entry.confirmed(DeviceId.ofIndex(2), SHARED, HALF);

        var page = extender.outward(Holdings.EMPTY, Holdings.EMPTY, written(half));

        assertThat(page).isEqualTo(written(half.of(new DeviceId("GPU-b"))));
        assertThat(extender.inward(page, List.of())).isEqualTo(written(half));
    }

    @Test
    void aPartThatAnotherDoorHoldsIsAWholeCardToThisOne() {
        var assigner = names(Door.ASSIGNER, LABELLED, UUIDS);
        var half = Entry.confirmed(new DeviceId("GPU-b"), SHARED, HALF);

        assertThat(assigner.inward(written(half), List.of())).isEqualTo(written(whole("GPU-b", SHARED)));
    }

    @Test
    void linesFromBeforeTheUuidsWerePublishedAreUnderstood() {
        var assigner = names(Door.ASSIGNER, LABELLED, UUIDS);

        assertThat(assigner.inward(written(whole("0", PINNED)), List.of())).isEqualTo(written(whole("GPU-c", PINNED)));
    }

    @Test
    void whoHoldsACardThatCannotBeMatchedHasThemAll() {
        var pinner = names(Door.PINNER, NUMBERED, List.of());

        assertThat(pinner.inward(written(whole("GPU-a", ASSIGNED)), List.of()))
                .isEqualTo(written(whole("0", ASSIGNED), whole("1", ASSIGNED), whole("2", ASSIGNED)));
    }

    @Test
    void aCardThatIsKnownToBeNoneOfThisDoorsIsLeftAlone() {
        var pinner = names(Door.PINNER, Device.numbered(NODE, 2), UUIDS);
        var page = written(whole("GPU-b", ASSIGNED));

        assertThat(pinner.inward(page, List.of())).isSameAs(page);
    }

    @Test
    void guestsAreGivenFreeCardsFromTheLastOn() {
        var pinner = names(Door.PINNER, NUMBERED, UUIDS);

        assertThat(pinner.inward(written(whole("GPU-b", ASSIGNED)), List.of(new Guest(PLAIN, 1))))
                .isEqualTo(written(whole("2", ASSIGNED), whole("1", PLAIN)));
    }

    @Test
    void guestsAreSentFirstToCardsThatTheDoorDoesNotGiveOut() {
        var assigner = names(Door.ASSIGNER, List.of(labelled("GPU-a")), UUIDS);
        var guests = List.of(new Guest(PLAIN, 2));

        assertThat(assigner.inward(Holdings.EMPTY, guests)).isEqualTo(Holdings.EMPTY);
        assertThat(assigner.inward(written(whole("GPU-c", PINNED)), guests).of(new DeviceId("GPU-a")))
                .extracting(Entry::holder)
                .containsExactly(PLAIN);
    }

    @Test
    void aGuestWhoseLineIsWrittenIsCountedOnce() {
        var pinner = names(Door.PINNER, NUMBERED, UUIDS);
        var page = written(whole("any/uid-plain/0", PLAIN), whole("any/uid-plain/1", PLAIN));

        assertThat(pinner.inward(page, List.of(new Guest(PLAIN, 2))))
                .isEqualTo(written(whole("2", PLAIN), whole("1", PLAIN)));
    }

    @Test
    void aPodThatADoorKnowsIsNoGuest() {
        var pinner = names(Door.PINNER, NUMBERED, UUIDS);
        var page = written(whole("GPU-c", PINNED));
        var same = Holder.pod(Door.OUTSIDE, "default", "pinned", "uid-pinned");

        assertThat(pinner.inward(page, List.of(new Guest(same, 1)))).isEqualTo(written(whole("0", PINNED)));
    }

    @Test
    void otherDoorsLinesAndGuestsAreWrittenBackWordForWord() {
        var extender = names(Door.EXTENDER, NUMBERED, UUIDS);
        var page = written(
                whole("any/uid-plain/0", PLAIN),
                Entry.confirmed(new DeviceId("GPU-a"), CLAIMED, HALF),
                whole("0", SHARED));
        var before = extender.inward(page, List.of());

        var after = extender.outward(page, before, before.without(SHARED.id()));

        assertThat(after)
                .isEqualTo(written(
                        whole("any/uid-plain/0", PLAIN), Entry.confirmed(new DeviceId("GPU-a"), CLAIMED, HALF)));
    }

    @Test
    void nothingIsWrittenWhenNothingChanged() {
        var extender = names(Door.EXTENDER, NUMBERED, UUIDS);
        var page = written(whole("0", SHARED));
        var before = extender.inward(page, List.of());

        assertThat(extender.outward(page, before, before)).isSameAs(page);
    }

    @Test
    void aPartOfAPoolsCardHoldsTheCard() {
        var card = pooled("gpu-0").withUuid("GPU-a").withIndex(1);
        var part = pooled("gpu-0-mig").withAttributes(Map.of("parent", new Attribute.Text("gpu-0")));
        var claims = names(Door.CLAIMS, List.of(card, part), List.of());
        var mine = whole("pool/gpu-0-mig", CLAIMED);

        var page = claims.outward(Holdings.EMPTY, Holdings.EMPTY, written(mine));

        assertThat(page).isEqualTo(written(whole("GPU-a#gpu-0-mig", CLAIMED)));
        assertThat(claims.inward(page, List.of())).isEqualTo(written(mine));
        assertThat(names(Door.PINNER, NUMBERED, UUIDS).inward(page, List.of())).isEqualTo(written(whole("1", CLAIMED)));
    }

    @Test
    void aPartWhoseCardIsNotNamedMayBeOfAny() {
        var part = pooled("mig-0").withAttributes(Map.of("mig-profile", new Attribute.Text("1g.5gb")));
        var claims = names(Door.CLAIMS, List.of(part), List.of());

        var page = claims.outward(Holdings.EMPTY, Holdings.EMPTY, written(whole("pool/mig-0", CLAIMED)));

        assertThat(page).isEqualTo(written(whole("gpu?/pool/mig-0", CLAIMED)));
        assertThat(names(Door.PINNER, NUMBERED, UUIDS).inward(page, List.of()).byDevice())
                .hasSize(3);
    }

    @Test
    void whatIsNoCardIsInNobodysWay() {
        var page = written(whole("pool/nic-0", CLAIMED));

        assertThat(names(Door.PINNER, NUMBERED, UUIDS).inward(page, List.of())).isSameAs(page);
        assertThat(Occupied.cards(page, List.of(), "")).isZero();
    }

    @Test
    void aPoolsCardIsFoundByItsIndexWhereItHasNoUuid() {
        var claims = names(Door.CLAIMS, List.of(pooled("gpu-0").withIndex(0)), UUIDS);

        assertThat(claims.inward(written(whole("GPU-c", PINNED)), List.of()))
                .isEqualTo(written(whole("pool/gpu-0", PINNED)));
    }

    @Test
    void whoCountsCardsCountsEachOnceAndNotHisOwn() {
        var page = written(
                Entry.confirmed(new DeviceId("GPU-a"), SHARED, HALF),
                whole("GPU-b#mig-1", CLAIMED),
                Entry.confirmed(new DeviceId("GPU-b#mig-2"), PINNED, HALF),
                whole("any/uid-plain/0", PLAIN));
        var other = new Guest(Holder.pod(Door.OUTSIDE, "default", "other", "uid-other"), 2);

        assertThat(Occupied.cards(page, List.of(other, new Guest(PLAIN, 1)), ""))
                .isEqualTo(5);
        assertThat(Occupied.cards(page, List.of(new Guest(PLAIN, 1)), "uid-plain"))
                .isEqualTo(2);
    }
}
