package dev.berth.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PodQueueTest {
    private final AtomicLong now = new AtomicLong();
    private final PodQueue queue = new PodQueue(now::get);

    private static PodQueue.Ticket pod(String name, int priority, String created) {
        return new PodQueue.Ticket("default", name, "uid-" + name, priority, created);
    }

    private static final PodQueue.Ticket POD = pod("p", 0, "2026-01-01T00:00:00Z");

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void refuse(PodQueue.Ticket ticket) {
        assertThat(queue.poll()).contains(ticket);
        queue.refused(ticket);
    }

    @Test
    void theMoreImportantComesFirstAndThenTheOlder() {
        var young = pod("young", 0, "2026-01-02T00:00:00Z");
        var old = pod("old", 0, "2026-01-01T00:00:00Z");
        var important = pod("important", 100, "2026-01-03T00:00:00Z");
        queue.offer(young);
        queue.offer(old);
        queue.offer(important);

        assertThat(queue.poll()).contains(important);
        assertThat(queue.poll()).contains(old);
        assertThat(queue.poll()).contains(young);
        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void aRefusedPodWaitsForSomethingToChange() {
        queue.offer(POD);
        refuse(POD);
        pass(Duration.ofMinutes(1));
        assertThat(queue.poll()).isEmpty();

        queue.wake();

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void aWokenPodStillWaitsForItsBackoff() {
        queue.offer(POD);
        refuse(POD);
        queue.wake();
        assertThat(queue.poll()).isEmpty();

        pass(Duration.ofSeconds(1));

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void theBackoffDoublesUpToTenSeconds() {
        queue.offer(POD);
        for (int seconds : new int[] {1, 2, 4, 8, 10, 10}) {
            assertThat(queue.poll()).contains(POD);
            queue.failed(POD);
            pass(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(queue.poll()).isEmpty();
            pass(Duration.ofMillis(1));
        }
    }

    @Test
    void whatChangesDuringAnAttemptCounts() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.wake();
        queue.refused(POD);

        pass(Duration.ofSeconds(1));

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void whoWasRefusedForAPromiseHearsThatItWasGivenBack() {
        var promised = pod("a", 0, "2026-01-01T00:00:00Z");
        queue.offer(promised);
        queue.offer(POD);
        assertThat(queue.poll()).contains(promised);
        refuse(POD);

        queue.gaveBack(promised.uid());
        queue.remove(promised.uid());
        pass(Duration.ofSeconds(1));

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void whoIsBeingRefusedForAPromiseHearsThatItWasGivenBack() {
        var promised = pod("a", 0, "2026-01-01T00:00:00Z");
        queue.offer(promised);
        queue.offer(POD);
        assertThat(queue.poll()).contains(promised);
        assertThat(queue.poll()).contains(POD);

        queue.gaveBack(promised.uid());
        queue.remove(promised.uid());
        queue.refused(POD);
        pass(Duration.ofSeconds(1));

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void aPromiseThatWasMadeLaterKeptNobodyBack() {
        var promised = pod("a", 0, "2026-01-01T00:00:00Z");
        queue.offer(POD);
        refuse(POD);
        queue.offer(promised);
        assertThat(queue.poll()).contains(promised);

        queue.gaveBack(promised.uid());
        pass(Duration.ofMinutes(1));

        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void aPodThatChangedIsTriedAgain() {
        queue.offer(POD);
        refuse(POD);
        pass(Duration.ofSeconds(1));

        queue.offer(POD);

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void aLostRaceIsRunAgainAtOnce() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.lostRace(POD);

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void nobodyWaitsForEver() {
        queue.offer(POD);
        refuse(POD);
        pass(Duration.ofMinutes(5));

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void aPodThatIsGoneIsNotTriedAgain() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.remove(POD.uid());
        queue.refused(POD);
        queue.wake();
        pass(Duration.ofMinutes(10));

        assertThat(queue.poll()).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void aPodThatWasPlacedIsNotTriedAgainBecauseALateWatchShowsItWaiting() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.placed(POD.uid());

        queue.offer(POD);

        assertThat(queue.poll()).isEmpty();
        assertThat(queue.size()).isZero();
    }

    @Test
    void whatIsRememberedOfAPlacedPodEndsWithTheWatchThatShowsIt() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.placed(POD.uid());
        queue.remove(POD.uid());

        queue.offer(POD);

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void aWatchThatIsFasterThanTheAnswerLeavesNothingToRemember() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.remove(POD.uid());
        queue.placed(POD.uid());

        queue.offer(POD);

        assertThat(queue.poll()).contains(POD);
    }

    @Test
    void aPodThatIsBeingTriedIsNotTriedTwice() {
        queue.offer(POD);
        assertThat(queue.poll()).contains(POD);
        queue.offer(POD);
        queue.wake();

        assertThat(queue.poll()).isEmpty();
    }

    @Test
    void whoWaitsForAPodIsLetGoWhenTheQueueIsClosed() throws Exception {
        // The queue's own clock stands still: nothing but the closing ends the wait.
        try (var waiting = Executors.newVirtualThreadPerTaskExecutor()) {
            var next = waiting.submit(() -> queue.poll(Duration.ofHours(1)));

            queue.close();

            assertThat(next.get(10, TimeUnit.SECONDS)).isEmpty();
        }
    }
}
