package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CacheTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final TestServer server = new TestServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aCacheIsFilledOnlyWhenItsListenersHaveHeardOfEveryObject() throws InterruptedException {
        var cluster = server.connect();
        TestServer.pod(cluster, "anna");
        var mayGoOn = new CountDownLatch(1);
        var called = new CountDownLatch(1);
        try (var cache = Cache.of(cluster, Listing.of(Pod.class).in("default"))) {
            cache.onChange(_ -> {
                called.countDown();
                awaited(mayGoOn);
            });
            cache.start();
            assertThat(called.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(cache.find("default", "anna")).isPresent();
            assertThat(cache.awaitSynced(Duration.ofSeconds(1))).isFalse();

            mayGoOn.countDown();
            assertThat(cache.awaitSynced(SOON)).isTrue();
        }
    }

    @Test
    void anEmptyCacheIsFilledToo() {
        try (var cache = Cache.of(server.connect(), Listing.of(Pod.class).in("default"))) {
            cache.start();

            assertThat(cache.awaitSynced(SOON)).isTrue();
            assertThat(cache.all()).isEmpty();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
