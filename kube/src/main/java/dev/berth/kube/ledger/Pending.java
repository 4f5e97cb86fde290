package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A decision that waits in a lane, and its caller who waits for the outcome. */
final class Pending<T> {
    private static final String FULL = "the node's ledger is full";

    private final Decision<T> decision;
    private final long deadline;
    private final CompletableFuture<LedgerOutcome<T>> outcome = new CompletableFuture<>();
    private LedgerOutcome.@Nullable Settled<T> answer;
    private boolean begun;
    private String lastProblem = "";

    Pending(Decision<T> decision, long deadline) {
        this.decision = decision;
        this.deadline = deadline;
    }

    LedgerOutcome<T> await() {
        try {
            return outcome.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return giveUp("no answer in time");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return giveUp("interrupted");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException bug) {
                throw bug;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private synchronized LedgerOutcome<T> giveUp(String why) {
        var reason = lastProblem.isEmpty() ? why : why + ": " + lastProblem;
        outcome.complete(begun ? new LedgerOutcome.Unknown<>(reason) : new LedgerOutcome.NotWritten<>(reason));
        return outcome.join();
    }

    /** Marks it as on its way; false if its caller has gone, and then it never happens. */
    synchronized boolean begin() {
        begun = true;
        return !over();
    }

    boolean over() {
        return outcome.isDone();
    }

    /** The holdings after this decision; unchanged if it failed or does not fit, which is its own caller's affair. */
    synchronized Holdings run(Holdings holdings, Predicate<Holdings> fits) {
        if (over()) {
            return holdings;
        }
        try {
            var decided = decision.on(holdings);
            if (!decided.holdings().equals(holdings) && !fits.test(decided.holdings())) {
                refuse(FULL);
                return holdings;
            }
            answer = new LedgerOutcome.Settled<>(decided.answer());
            return decided.holdings();
        } catch (RuntimeException bug) {
            fail(bug);
            return holdings;
        }
    }

    synchronized void settle() {
        if (answer != null) {
            outcome.complete(answer);
        }
    }

    synchronized void remember(String problem) {
        lastProblem = problem;
    }

    void refuse(String reason) {
        outcome.complete(new LedgerOutcome.NotWritten<>(reason));
    }

    void fail(Throwable problem) {
        outcome.completeExceptionally(problem);
    }
}
