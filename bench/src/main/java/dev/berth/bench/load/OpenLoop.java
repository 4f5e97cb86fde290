package dev.berth.bench.load;

import dev.berth.bench.subject.Customer;
import dev.berth.bench.subject.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Recorder;

/**
 * Questions at a fixed rate, whether or not the ones before are answered. Each is measured from the moment at which it
 * should have been put: a door that stalls pays for all that had to wait meanwhile.
 */
final class OpenLoop {
    /** Enough that a short stall does not leave anybody without a customer to ask. */
    private static final int SPARE = 4;

    private final Subject subject;
    private final AtomicInteger numbers;
    private final Recorder latencies = new Recorder(3);
    private final AtomicLong failures = new AtomicLong();

    /** @param numbers of questions, none of which is used twice */
    OpenLoop(Subject subject, AtomicInteger numbers) {
        this.subject = subject;
        this.numbers = numbers;
    }

    /** In microseconds, those since the last time it was asked for. */
    Recorder latencies() {
        return latencies;
    }

    /** Questions that were not answered, or not with a yes. */
    long failures() {
        return failures.get();
    }

    /** As many questions as are answered in this time, each put when the one before is answered: questions a second. */
    double most(double seconds) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        var asked = new AtomicLong();
        together(subject.customers(), customer -> {
            while (System.nanoTime() < end) {
                int number = numbers.getAndIncrement();
                customer.prepare(number);
                customer.ask(number);
                customer.giveBack(number);
                asked.incrementAndGet();
            }
        });
        return asked.get() / ((System.nanoTime() - start) / 1e9);
    }

    /** Asks at this rate until the time is over. */
    void run(double perSecond, double seconds) throws IOException, InterruptedException {
        long start = System.nanoTime();
        long questions = (long) (perSecond * seconds);
        var next = new AtomicLong();
        together(SPARE * subject.customers(), customer -> {
            for (long i = next.getAndIncrement(); i < questions; i = next.getAndIncrement()) {
                long intended = start + (long) (i / perSecond * 1e9);
                int number = numbers.getAndIncrement();
                customer.prepare(number);
                for (long left = intended - System.nanoTime(); left > 0; left = intended - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                customer.ask(number);
                latencies.recordValue(Math.max(0, (System.nanoTime() - intended) / 1000));
                customer.giveBack(number);
            }
        });
    }

    @FunctionalInterface
    private interface Course {
        void run(Customer customer) throws IOException;
    }

    /** A customer whom something failed comes again, on new connections; with the same course. */
    private void together(int customers, Course course) throws IOException, InterruptedException {
        try (var threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < customers; i++) running.add(threads.submit(() -> again(course)));
            for (var each : running) each.get();
        } catch (ExecutionException e) {
            throw new IOException("the load broke off: " + e.getMessage(), e);
        }
    }

    private Void again(Course course) throws IOException {
        while (true) {
            try (var customer = subject.customer()) {
                course.run(customer);
                return null;
            } catch (IOException failed) {
                if (failures.incrementAndGet() == 1) System.out.println("  first failure: " + failed.getMessage());
                if (!subject.door().processes().values().stream().allMatch(Process::isAlive)) throw failed;
            }
        }
    }
}
