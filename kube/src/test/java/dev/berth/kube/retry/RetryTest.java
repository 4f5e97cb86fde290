package dev.berth.kube.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<Duration> waits = new ArrayList<>();
    private final Throttle throttle = new Throttle(InstantSource.fixed(Instant.EPOCH));
    private final Retry retry = new Retry(Backoff.STANDARD, new Random(1), throttle, waits::add);

    @Test
    void aReadSurvivesABrokenConnection() {
        assertThat(retry.call(Repeat.IF_UNKNOWN, MINUTE, failing(2, broken()))).isEqualTo("done");
        assertThat(waits).hasSize(2);
    }

    @Test
    void whatWasPerhapsDoneIsNotRepeatedUnlessTheCallerSaysSo() {
        assertThatThrownBy(() -> retry.call(Repeat.IF_NOT_DONE, MINUTE, failing(1, broken())))
                .hasMessage("broken");
        assertThatThrownBy(() -> retry.call(Repeat.IF_NOT_DONE, MINUTE, failing(1, answered(504))))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(waits).isEmpty();
    }

    @Test
    void whatSurelyWasNotDoneIsAlwaysRepeated() {
        var refused = new KubernetesClientException("no", new ConnectException("refused"));

        assertThat(retry.call(Repeat.IF_NOT_DONE, MINUTE, failing(1, refused))).isEqualTo("done");
        assertThat(retry.call(Repeat.IF_NOT_DONE, MINUTE, failing(1, answered(429))))
                .isEqualTo("done");
    }

    @Test
    void aConflictIsRepeatedOnlyByThoseWhoReadAfresh() {
        assertThat(retry.call(Repeat.IF_CONFLICT, MINUTE, failing(1, answered(409))))
                .isEqualTo("done");
        assertThatThrownBy(() -> retry.call(Repeat.IF_UNKNOWN, MINUTE, failing(1, answered(409))))
                .isInstanceOf(KubernetesClientException.class);
    }

    @Test
    void aRefusalIsNeverRepeated() {
        for (int code : new int[] {400, 401, 403, 404, 405, 410, 413, 422}) {
            assertThatThrownBy(() -> retry.call(Repeat.IF_CONFLICT, MINUTE, failing(1, answered(code))))
                    .isInstanceOf(KubernetesClientException.class);
        }
        assertThat(waits).isEmpty();
    }

    @Test
    void theServersRetryAfterIsHonoured() {
        throttle.heard("7");

        retry.call(Repeat.IF_NOT_DONE, MINUTE, failing(1, answered(429)));

        assertThat(waits.getFirst()).isGreaterThanOrEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void nothingIsTriedBeyondTheDeadline() {
        throttle.heard("30");

        assertThatThrownBy(() -> retry.call(Repeat.IF_NOT_DONE, Duration.ofSeconds(10), failing(1, answered(429))))
                .isInstanceOf(KubernetesClientException.class);
        assertThat(waits).isEmpty();
    }

    @Test
    void theWaitDoublesUpToItsLimitAndIsNeverMoreOrLessThanHalf() {
        var backoff = new Backoff(Duration.ofMillis(20), Duration.ofSeconds(1));
        var random = new Random(7);
        for (int failures = 1; failures < 100; failures++) {
            long full = Math.min(1000, 20L << Math.min(failures - 1, 20));
            assertThat(backoff.after(failures, random)).isBetween(Duration.ofMillis(full / 2), Duration.ofMillis(full));
        }
    }

    private static KubernetesClientException broken() {
        return new KubernetesClientException("broken", new IOException("connection reset"));
    }

    private static KubernetesClientException answered(int code) {
        return new KubernetesClientException(
                "answered", code, new StatusBuilder().withCode(code).build());
    }

    private static Supplier<String> failing(int times, KubernetesClientException problem) {
        var left = new int[] {times};
        return () -> {
            if (left[0]-- > 0) {
                throw problem;
            }
            return "done";
        };
    }
}
