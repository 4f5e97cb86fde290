package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CapacityTest {
    private static final Quantity TEN = Quantity.of(10);

    @Test
    void withoutARuleAnyAmountIsTakenAndAllOfItByDefault() {
        var capacity = Capacity.of(TEN);

        assertThat(capacity.taken(wanted(3))).contains(Quantity.of(3));
        assertThat(capacity.taken(Optional.empty())).contains(TEN);
        assertThat(capacity.usable(Quantity.of(7))).isEqualTo(Quantity.of(7));
    }

    @Test
    void blocksAreRoundedUpForWhoTakesAndDownForWhatIsLeft() {
        var capacity = Capacity.inBlocks(TEN, Quantity.of(4));

        assertThat(capacity.taken(wanted(5))).contains(Quantity.of(8));
        assertThat(capacity.taken(Optional.empty())).contains(Quantity.ZERO);
        assertThat(capacity.usable(Quantity.of(7))).isEqualTo(Quantity.of(4));
    }

    @Test
    void oneOfSeveralAmountsIsTheNextLargerOne() {
        var capacity = new Capacity(
                TEN, new Capacity.Rule.OneOf(Quantity.of(2), List.of(Quantity.of(8), Quantity.of(2), Quantity.of(4))));

        assertThat(capacity.taken(wanted(3))).contains(Quantity.of(4));
        assertThat(capacity.taken(Optional.empty())).contains(Quantity.of(2));
        assertThat(capacity.taken(wanted(9))).isEmpty();
        assertThat(capacity.usable(Quantity.of(7))).isEqualTo(Quantity.of(4));
        assertThat(capacity.usable(Quantity.of(1))).isEqualTo(Quantity.ZERO);
    }

    @Test
    void aRangeGoesInStepsFromItsLeast() {
        var capacity = new Capacity(
                TEN,
                new Capacity.Rule.Range(
                        Quantity.of(1), Quantity.of(1), Optional.of(Quantity.of(9)), Optional.of(Quantity.of(3))));

        assertThat(capacity.taken(wanted(2))).contains(Quantity.of(4));
        assertThat(capacity.taken(Optional.empty())).contains(Quantity.of(1));
        assertThat(capacity.taken(wanted(8))).isEmpty();
        assertThat(capacity.usable(Quantity.of(10))).isEqualTo(Quantity.of(7));
        assertThat(capacity.usable(Quantity.ZERO)).isEqualTo(Quantity.ZERO);
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> Capacity.of(Quantity.of(-1))).hasMessage("a capacity cannot be negative: -1");
        assertThatThrownBy(() -> Capacity.inBlocks(TEN, Quantity.ZERO))
                .hasMessage("a block size is more than nothing, not: 0");
    }

    private static Optional<Quantity> wanted(int amount) {
        return Optional.of(Quantity.of(amount));
    }
}
