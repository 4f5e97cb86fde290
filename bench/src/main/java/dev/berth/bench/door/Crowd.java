package dev.berth.bench.door;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** So many callers at once, each with one call after the other, until all calls are made. */
public record Crowd(int callers) {
    private static final long PATIENCE_SECONDS = 600;

    /** Somebody with a connection of his own. */
    public interface Caller extends AutoCloseable {
        void call(int number) throws IOException;

        @Override
        void close() throws IOException;
    }

    @FunctionalInterface
    public interface Opening {
        Caller open() throws IOException;
    }

    /** How long each call took, in microseconds. */
    public Histogram make(int calls, Opening opening) throws IOException, InterruptedException {
        return makeWhile(number -> number < calls, opening);
    }

    /** As many calls as there is time for. */
    public Histogram makeFor(Duration time, Opening opening) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + time.toNanos();
        return makeWhile(_ -> System.nanoTime() < deadline, opening);
    }

    private Histogram makeWhile(IntPredicate more, Opening opening) throws IOException, InterruptedException {
        var latencies = new ConcurrentHistogram(3);
        var next = new AtomicInteger();
        Callable<Object> some = () -> {
            try (var caller = opening.open()) {
                for (int i = next.getAndIncrement(); more.test(i); i = next.getAndIncrement()) {
                    long start = System.nanoTime();
                    caller.call(i);
                    latencies.recordValue((System.nanoTime() - start) / 1000);
                }
            }
            return latencies;
        };
        try (var threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Object>> running = new ArrayList<>();
            for (int i = 0; i < callers; i++) running.add(threads.submit(some));
            try {
                for (var each : running) each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                threads.shutdownNow();
                throw new IOException("not all calls were made: " + e.getMessage(), e);
            }
        }
        return latencies;
    }
}
