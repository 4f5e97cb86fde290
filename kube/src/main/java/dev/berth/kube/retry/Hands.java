package dev.berth.kube.retry;

import java.util.Collection;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Does the same with many things, a few at a time: for work that mostly waits for the API server. */
public final class Hands {
    private Hands() {}

    /** Returns when all is done; what the work throws is its own affair and stops nothing else. */
    public static <T> void each(Collection<T> things, int atOnce, Consumer<T> work) throws InterruptedException {
        var free = new Semaphore(atOnce);
        try (var hands = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var thing : things) {
                free.acquire();
                hands.execute(() -> {
                    try {
                        work.accept(thing);
                    } finally {
                        free.release();
                    }
                });
            }
        }
    }
}
