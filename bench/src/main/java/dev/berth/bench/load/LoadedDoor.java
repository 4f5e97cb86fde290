package dev.berth.bench.load;

import dev.berth.bench.LiveHeap;
import dev.berth.bench.subject.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A door that is asked for a long time, and what is seen of it meanwhile. */
final class LoadedDoor {
    private static final double WARM_UP_SECONDS = 30;
    private static final double MOST_SECONDS = 20;
    private static final int SAMPLE_SECONDS = 10;
    private static final int A_MINUTE = 60 / SAMPLE_SECONDS;

    private final String name;
    private final Subject subject;
    private final OpenLoop load;
    private double most;

    LoadedDoor(String name, Subject subject) {
        this.name = name;
        this.subject = subject;
        this.load = new OpenLoop(subject, new AtomicInteger());
    }

    /** Questions a second, when each customer asks again as soon as he is answered. */
    void findMost() throws IOException, InterruptedException {
        System.out.printf("%s: warm-up %.1f a second%n", name, load.most(WARM_UP_SECONDS));
        most = load.most(MOST_SECONDS);
        System.out.printf("%s: at most %.1f a second%n", name, most);
    }

    /** Asks so large a part of what it can do, and only counts what fails. */
    long ask(double part, double seconds) throws IOException, InterruptedException {
        load.run(part * most, seconds);
        return load.failures();
    }

    /** Asks so large a part of what it can do. */
    Course run(double part, double minutes) throws IOException, InterruptedException {
        double before = LiveHeap.of(subject.door()).megabytes();
        long failuresBefore = load.failures();
        var samples = samples(part * most, minutes);
        double after = LiveHeap.of(subject.door()).megabytes();
        return new Course(name, most, samples, before, after, load.failures() - failuresBefore);
    }

    private List<Sample> samples(double perSecond, double minutes) throws IOException, InterruptedException {
        List<Sample> samples = new ArrayList<>();
        try (var threads = Executors.newSingleThreadExecutor()) {
            load.latencies().reset();
            double used = subject.door().processorSeconds();
            long start = System.nanoTime();
            var asking = threads.submit(() -> {
                load.run(perSecond, minutes * 60);
                return null;
            });
            while (!asking.isDone()) {
                Thread.sleep(SAMPLE_SECONDS * 1000L);
                double now = subject.door().processorSeconds();
                double seconds = (System.nanoTime() - start) / 1e9;
                start = System.nanoTime();
                samples.add(new Sample(
                        seconds,
                        load.latencies().getIntervalHistogram(),
                        (now - used) / seconds,
                        subject.door().megabytes()));
                used = now;
                if (samples.size() % A_MINUTE == 0) {
                    System.out.printf(
                            "  %s, minute %2d %s%n",
                            name,
                            samples.size() / A_MINUTE,
                            Sample.of(samples.subList(samples.size() - A_MINUTE, samples.size()))
                                    .words());
                }
            }
            asking.get();
        } catch (ExecutionException e) {
            throw new IOException("the load broke off: " + e.getMessage(), e);
        }
        // The last one is cut off where the load ends.
        if (samples.size() > 1) samples.removeLast();
        return samples;
    }
}
