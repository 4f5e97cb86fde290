package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class ServerClockTest {
    private static final Instant NOON = Instant.parse("2026-11-17T12:00:00Z");

    private Instant own = NOON;
    private long nanos = 42;
    private final ServerClock clock = new ServerClock(() -> own, () -> nanos);

    @Test
    void isOurOwnUntilTheServerHasSpoken() {
        assertThat(clock.instant()).isEqualTo(NOON);
    }

    @Test
    void isTheServersAlthoughOursIsAnHourAhead() {
        own = NOON.plus(Duration.ofHours(1));

        clock.heard(date(NOON));

        assertThat(clock.instant()).isCloseTo(NOON, within(1, ChronoUnit.SECONDS));
    }

    @Test
    void goesOnWhileOursJumpsToAndFro() {
        clock.heard(date(NOON));

        own = NOON.plus(Duration.ofHours(1));
        pass(Duration.ofSeconds(10));
        assertThat(clock.instant()).isCloseTo(NOON.plusSeconds(10), within(1, ChronoUnit.SECONDS));

        own = NOON.minus(Duration.ofHours(1));
        pass(Duration.ofSeconds(10));
        assertThat(clock.instant()).isCloseTo(NOON.plusSeconds(20), within(1, ChronoUnit.SECONDS));
    }

    @Test
    void doesNotWaverWithEveryAnswer() {
        clock.heard(date(NOON));
        var before = clock.instant();

        clock.heard(date(NOON.minusSeconds(1)));
        clock.heard(date(NOON.plusSeconds(1)));

        assertThat(clock.instant()).isEqualTo(before);
    }

    @Test
    void oneOfSeveralServersThatIsWrongIsNotBelieved() {
        clock.heard(date(NOON));
        for (int answer = 0; answer < 10; answer++) {
            clock.heard(date(NOON.plus(Duration.ofHours(1))));
            clock.heard(date(NOON));
        }

        assertThat(clock.instant()).isCloseTo(NOON, within(1, ChronoUnit.SECONDS));
    }

    @Test
    void aMachineThatSleptCatchesUp() {
        clock.heard(date(NOON));
        var later = NOON.plus(Duration.ofHours(1));

        for (int answer = 0; answer < 3; answer++) {
            pass(Duration.ofSeconds(1));
            clock.heard(date(later.plusSeconds(answer)));
        }

        assertThat(clock.instant()).isCloseTo(later.plusSeconds(2), within(1, ChronoUnit.SECONDS));
    }

    @Test
    void manyAnswersOfOneSecondAreOneWitness() {
        clock.heard(date(NOON));

        for (int answer = 0; answer < 10; answer++) clock.heard(date(NOON.plus(Duration.ofHours(1))));

        assertThat(clock.instant()).isCloseTo(NOON, within(1, ChronoUnit.SECONDS));
    }

    @Test
    void whatIsNoDateIsPassedOver() {
        clock.heard("yesterday");

        assertThat(clock.instant()).isEqualTo(NOON);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atZone(ZoneOffset.UTC));
    }
}
