package dev.berth.apiserver.controller;

import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of one controller. */
final class Worker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Controller controller;
    private final Thread thread;

    Worker(Controller controller) {
        this.controller = controller;
        this.thread = Thread.ofVirtual().name(controller.name()).start(this::run);
    }

    private void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                controller.queue().take(IDLE).ifPresent(this::reconcile);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void reconcile(Key key) {
        try {
            Optional<Duration> again = controller.reconcile(key);
            controller.queue().succeeded(key);
            again.ifPresent(delay -> controller.queue().addAfter(key, delay));
        } catch (ApiException refused) {
            LOG.debug("controller={} object={} retry=true reason={}", controller.name(), key, refused.getMessage());
            controller.queue().retry(key);
        } catch (RuntimeException broken) {
            LOG.warn("controller={} object={} retry=true", controller.name(), key, broken);
            controller.queue().retry(key);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(5));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
