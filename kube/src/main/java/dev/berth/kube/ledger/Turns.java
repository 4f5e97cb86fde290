package dev.berth.kube.ledger;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who may write, of all nodes' lanes, and whether there is such a crowd that it pays to wait for more.
 *
 * @param free turns that nobody has: more writes at once would only wait in the API server
 * @param decisions those that wait in any lane or are being written
 * @param crowd so many of them that each update of a ledger makes all of them wait longer
 * @param pause in a crowd a lane waits for another decision for so long
 * @param longest and no longer than this for all of them
 */
record Turns(Semaphore free, AtomicInteger decisions, int crowd, Duration pause, Duration longest) {
    static final int AT_ONCE = 16;
    private static final int CROWD = 8;
    private static final Duration PAUSE = Duration.ofMillis(4);
    private static final Duration LONGEST = Duration.ofMillis(16);

    static Turns usual() {
        return pausing(PAUSE, LONGEST);
    }

    static Turns pausing(Duration pause, Duration longest) {
        return new Turns(new Semaphore(AT_ONCE, true), new AtomicInteger(), CROWD, pause, longest);
    }

    void take() {
        free.acquireUninterruptibly();
    }

    void giveBack() {
        free.release();
    }

    void entered() {
        decisions.incrementAndGet();
    }

    void left(int many) {
        decisions.addAndGet(-many);
    }

    boolean crowded() {
        return decisions.get() >= crowd;
    }
}
