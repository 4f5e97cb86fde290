package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClaimNamesTest {
    private final ClaimNames names = new ClaimNames();

    @Test
    void aClaimIsKnownByItsName() {
        names.seen("uid-1", "gpu");

        assertThat(names.of("uid-1")).contains("gpu");
        assertThat(names.isGone("uid-1")).isFalse();
        assertThat(names.of("uid-2")).isEmpty();
    }

    @Test
    void oneThatIsGoneStaysGoneWhateverAnswersComeLate() {
        names.seen("uid-1", "gpu");
        names.gone("uid-1", "gpu");
        names.seen("uid-1", "gpu");

        assertThat(names.isGone("uid-1")).isTrue();
        assertThat(names.of("uid-1")).contains("gpu");
    }
}
