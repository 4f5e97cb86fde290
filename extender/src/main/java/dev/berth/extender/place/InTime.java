package dev.berth.extender.place;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Work that is waited for only so long, and one piece at a time for each key. */
final class InTime {
    private static final int LOCKS = 1024;

    private final ReentrantLock[] locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(ReentrantLock[]::new);

    /** The result, or nothing if it is not there in time; the work then ends by its own deadline. */
    <T> Optional<T> run(String key, Duration within, Supplier<T> work) {
        var result = new CompletableFuture<T>();
        long deadline = System.nanoTime() + within.toNanos();
        Thread.ofVirtual().name("question-" + key).start(() -> work(key, deadline, work, result));
        return await(result, within);
    }

    static <T> Optional<T> await(CompletableFuture<T> result, Duration within) {
        try {
            return Optional.of(result.get(Math.max(0, within.toNanos()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException bug) {
                throw bug;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private <T> void work(String key, long deadline, Supplier<T> work, CompletableFuture<T> result) {
        var lock = locks[Math.floorMod(key.hashCode(), LOCKS)];
        try {
            if (!lock.tryLock(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            result.complete(work.get());
        } catch (RuntimeException | Error problem) {
            result.completeExceptionally(problem);
        } finally {
            lock.unlock();
        }
    }
}
