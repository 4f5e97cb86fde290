package dev.berth.advisor.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at the store again and again, so that nobody who asks for advice or readiness has to wait for it. */
final class Watch implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Reading is cheap; a write goes to the disk. */
    private static final int ROUNDS_A_WRITE = 10;

    private final CountDownLatch stopped = new CountDownLatch(1);

    private final Thread thread;

    private Watch(Learning learning) {
        this.thread = Thread.ofVirtual().name("advisor-store-watch").unstarted(() -> look(learning));
    }

    static Watch over(Learning learning) {
        var watch = new Watch(learning);
        watch.thread.start();
        return watch;
    }

    private void look(Learning learning) {
        try {
            for (int round = 1; !stopped.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS); round++) {
                learning.keepUp(round % ROUNDS_A_WRITE == 0);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** When this returns, the store is no longer looked at, unless it hangs. */
    @Override
    public void close() {
        stopped.countDown();
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }
}
