package dev.berth.kube.cache;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A read past the caches that many want at the same time. Each gets an answer to a read that began after he asked, and
 * there is never more than one on its way.
 *
 * @param <T> what is read
 */
public final class SharedRead<T> {
    private final Supplier<T> read;
    private @Nullable CompletableFuture<T> running;
    private @Nullable CompletableFuture<T> next;

    public SharedRead(Supplier<T> read) {
        this.read = read;
    }

    /**
     * @throws RuntimeException what the read threw
     * @throws IllegalStateException if it takes longer
     */
    public T get(Duration within) {
        CompletableFuture<T> mine;
        synchronized (this) {
            if (running == null) {
                mine = start(new CompletableFuture<>());
            } else {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                mine = next;
            }
        }
        try {
            return mine.get(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new IllegalStateException("the API server did not answer within " + within, late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException problem) {
                throw problem;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private CompletableFuture<T> start(CompletableFuture<T> answer) {
        running = answer;
        Thread.ofVirtual().name("shared-read").start(() -> run(answer));
        return answer;
    }

    private void run(CompletableFuture<T> answer) {
        try {
            answer.complete(read.get());
        } catch (Throwable problem) {
            answer.completeExceptionally(problem);
        } finally {
            synchronized (this) {
                var waiting = next;
                next = null;
                running = null;
                if (waiting != null) {
                    var _ = start(waiting);
                }
            }
        }
    }
}
