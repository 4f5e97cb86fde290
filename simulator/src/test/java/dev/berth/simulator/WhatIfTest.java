package dev.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhatIfTest {
    private static final Trace TRACE = new Trace(
            List.of(new Machine("a", 8000, 1024, 2, "T4"), new Machine("b", 16_000, 2048, 4, "V100")), List.of());

    private static List<Machine> after(String words) {
        return WhatIf.parse(words).of(TRACE).machines();
    }

    @Test
    void nodesAreAddedLikeOneThatIsThere() {
        assertThat(after("add 2 nodes of T4"))
                .hasSize(4)
                .extracting(Machine::gpus)
                .containsExactly(2, 4, 2, 2);
        assertThat(after("add 1 node of b").getLast().model()).isEqualTo("V100");
    }

    @Test
    void someKindsAreKnownWithoutAnExample() {
        assertThat(after("add 4 nodes of dgxh100"))
                .hasSize(6)
                .last()
                .satisfies(machine -> assertThat(machine.gpus()).isEqualTo(8));
    }

    @Test
    void nodesAreTakenAway() {
        assertThat(after("remove 1 node of V100")).extracting(Machine::name).containsExactly("a");
        assertThatThrownBy(() -> after("remove 2 nodes of V100"))
                .hasMessage("2 nodes of V100 are to go, and there are 1");
    }

    @Test
    void namesOfNewNodesDiffer() {
        assertThat(after("add 3 nodes of T4")).extracting(Machine::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "add nodes", "add 0 nodes of T4", "add 4 nodes of nothing", "double the nodes"})
    void whatIsNoChangeIsRefused(String words) {
        assertThatThrownBy(() -> after(words)).isInstanceOf(IllegalArgumentException.class);
    }
}
