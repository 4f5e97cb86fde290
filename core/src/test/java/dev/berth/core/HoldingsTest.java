package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HoldingsTest {
    private static final DeviceId GPU = new DeviceId("GPU-1");
    private static final Holder ANNA = Holder.pod(Door.PINNER, "default", "anna", "uid-anna");
    private static final Holder BERT = Holder.pod(Door.EXTENDER, "default", "bert", "uid-bert");
    private static final Share HALF = new Share.Part(Map.of("cores", Quantity.of(50)));

    @Test
    void aWholeDeviceIsNotTakenTwice() {
        var holdings = Holdings.EMPTY.taking(Entry.confirmed(GPU, ANNA, Share.WHOLE));

        assertThatThrownBy(() -> holdings.taking(Entry.confirmed(GPU, BERT, Share.WHOLE)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("device GPU-1 is held by default/anna, so default/bert cannot take it");
        assertThat(holdings.obstacle(Entry.confirmed(GPU, BERT, HALF))).contains(ANNA);
    }

    @Test
    void twoPartsLieBesideEachOther() {
        var holdings = Holdings.EMPTY.taking(Entry.confirmed(GPU, ANNA, HALF)).taking(Entry.confirmed(GPU, BERT, HALF));

        assertThat(holdings.of(GPU)).hasSize(2);
        assertThat(holdings.contested()).isEmpty();
    }

    @Test
    void whatTheClusterShowsIsRecordedAndContested() {
        var holdings =
                Holdings.of(List.of(Entry.confirmed(GPU, ANNA, Share.WHOLE), Entry.confirmed(GPU, BERT, Share.WHOLE)));

        assertThat(holdings.contested()).containsExactly(GPU);
    }

    @Test
    void takingAgainReplacesOnesOwnEntry() {
        var assumed = Entry.assumed(GPU, ANNA, Share.WHOLE, Instant.EPOCH);

        var holdings = Holdings.EMPTY.taking(assumed).taking(Entry.confirmed(GPU, ANNA, Share.WHOLE));

        assertThat(holdings.entries()).containsExactly(Entry.confirmed(GPU, ANNA, Share.WHOLE));
    }

    @Test
    void aDeviceIsFreeOnceItsHolderIsGone() {
        var holdings = Holdings.EMPTY.taking(Entry.confirmed(GPU, ANNA, Share.WHOLE));

        assertThat(holdings.without(ANNA.id())).isEqualTo(Holdings.EMPTY);
        assertThat(holdings.without(BERT.id())).isSameAs(holdings);
    }

    @Test
    void anAssumedEntryExpiresAtItsInstantAndAConfirmedOneNever() {
        var noon = Instant.parse("2026-01-01T12:00:00Z");

        assertThat(Entry.assumed(GPU, ANNA, Share.WHOLE, noon).expiredAt(noon.minusMillis(1)))
                .isFalse();
        assertThat(Entry.assumed(GPU, ANNA, Share.WHOLE, noon).expiredAt(noon)).isTrue();
        assertThat(Entry.confirmed(GPU, ANNA, Share.WHOLE).expiredAt(Instant.MAX))
                .isFalse();
    }
}
