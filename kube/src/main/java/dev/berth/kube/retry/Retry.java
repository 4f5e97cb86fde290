package dev.berth.kube.retry;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a request again while that is safe and the time that the caller gave is not up. */
public final class Retry {
    /** Waits; a test that wants no waiting passes one that only counts. */
    @FunctionalInterface
    public interface Sleeper {
        void sleep(Duration duration) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Retry.class);

    private final Backoff backoff;
    private final RandomGenerator random;
    private final Throttle throttle;
    private final Sleeper sleeper;

    public Retry(Backoff backoff, RandomGenerator random, Throttle throttle, Sleeper sleeper) {
        this.backoff = backoff;
        this.random = random;
        this.throttle = throttle;
        this.sleeper = sleeper;
    }

    /**
     * The action's result.
     *
     * @throws KubernetesClientException the last failure, once it is not safe or there is no time to try again
     */
    public <T> T call(Repeat repeat, Duration within, Supplier<T> action) {
        long deadline = System.nanoTime() + within.toNanos();
        for (int failures = 1; ; failures++) {
            try {
                return action.get();
            } catch (KubernetesClientException problem) {
                var failure = Failure.of(problem);
                if (!repeat.covers(failure)) {
                    throw problem;
                }
                var wait = waitAfter(failures);
                if (System.nanoTime() + wait.toNanos() > deadline) {
                    throw problem;
                }
                LOG.debug(
                        "request is tried again: failure={} attempt={} wait={} reason={}",
                        failure,
                        failures,
                        wait,
                        Failure.words(problem));
                pause(wait, problem);
            }
        }
    }

    public void run(Repeat repeat, Duration within, Runnable action) {
        call(repeat, within, () -> {
            action.run();
            return true;
        });
    }

    /** Waits before the attempt after so many failures, for callers with a loop of their own; false if interrupted. */
    public boolean pause(int failures) {
        try {
            sleeper.sleep(waitAfter(failures));
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Duration waitAfter(int failures) {
        var wait = backoff.after(failures, random);
        var asked = throttle.remaining();
        return asked.compareTo(wait) > 0 ? asked.plus(wait) : wait;
    }

    private void pause(Duration wait, KubernetesClientException problem) {
        try {
            sleeper.sleep(wait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            problem.addSuppressed(interrupted);
            throw problem;
        }
    }
}
