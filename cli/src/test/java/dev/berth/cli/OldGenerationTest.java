package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OldGenerationTest {
    private static final long MIB = 1L << 20;

    @Test
    void aLittleGarbageIsLeftAlone() {
        assertThat(OldGeneration.overgrown(23 * MIB, 0)).isFalse();
        assertThat(OldGeneration.overgrown(33 * MIB, 10 * MIB)).isFalse();
    }

    @Test
    void aSmallOneIsLookedAtOnceItHasGrownByMoreThanALittle() {
        assertThat(OldGeneration.overgrown(25 * MIB, 0)).isTrue();
        assertThat(OldGeneration.overgrown(35 * MIB, 10 * MIB)).isTrue();
    }

    @Test
    void aLargeOneIsLookedAtOnceItHasGrownByHalf() {
        assertThat(OldGeneration.overgrown(430 * MIB, 288 * MIB)).isFalse();
        assertThat(OldGeneration.overgrown(433 * MIB, 288 * MIB)).isTrue();
    }
}
