package dev.berth.claims.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeenClaimsTest {
    private final SeenClaims seen = new SeenClaims();

    @Test
    void aClaimIsKnownByItsName() {
        seen.add("uid-1", "gpu");

        assertThat(seen.of("uid-1")).contains("gpu");
        assertThat(seen.isGone("uid-1")).isFalse();
        assertThat(seen.of("uid-2")).isEmpty();
    }

    @Test
    void oneThatIsGoneStaysGoneWhateverAnswersComeLate() {
        seen.add("uid-1", "gpu");
        seen.gone("uid-1", "gpu");
        seen.add("uid-1", "gpu");

        assertThat(seen.isGone("uid-1")).isTrue();
        assertThat(seen.of("uid-1")).contains("gpu");
    }
}
