package dev.berth.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class InventoryTest {
    private static final NodeName NODE = new NodeName("n1");
    private static final Device ONE = new Device(new DeviceId("1"), NODE);
    private static final Device TWO = new Device(new DeviceId("2"), NODE);

    @Test
    void aChangeMakesTheNextVersionAndLeavesTheOldAlone() {
        var first = Inventory.EMPTY.with(NODE, List.of(TWO));
        var second = first.with(NODE, List.of(TWO, ONE));

        assertThat(second.version()).isEqualTo(first.version() + 1);
        assertThat(second.devices(NODE)).containsExactly(TWO, ONE);
        assertThat(first.devices(NODE)).containsExactly(TWO);
    }

    @Test
    void noChangeKeepsTheVersion() {
        var inventory = Inventory.EMPTY.with(NODE, List.of(ONE, TWO));

        assertThat(inventory.with(NODE, List.of(ONE, TWO))).isSameAs(inventory);
        assertThat(inventory.without(new NodeName("n2"))).isSameAs(inventory);
    }

    @Test
    void aDeviceIsInItOnceAndOnItsOwnNode() {
        assertThatThrownBy(() -> Inventory.EMPTY.with(NODE, List.of(ONE, ONE))).hasMessage("n1 has device 1 twice");
        assertThatThrownBy(() -> Inventory.EMPTY.with(new NodeName("n2"), List.of(ONE)))
                .hasMessage("device 1 is on node n1, not on n2");
    }
}
