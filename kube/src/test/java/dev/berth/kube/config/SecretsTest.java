package dev.berth.kube.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class SecretsTest {
    private static TestServer server;
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        server = new TestServer();
        cluster = server.connect();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void whoComesSecondFindsWhatTheFirstOneMade() throws Exception {
        List<Callable<String>> replicas = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            var mine = "certificate of " + i;
            replicas.add(() -> new String(
                    new Secrets(cluster, "default")
                            .change(
                                    "tls",
                                    "Opaque",
                                    there -> there.isPresent()
                                            ? Optional.empty()
                                            : Optional.of(Map.of("tls.crt", bytes(mine))))
                            .orElseThrow()
                            .get("tls.crt"),
                    StandardCharsets.UTF_8));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var seen = new ArrayList<String>();
            for (var future : threads.invokeAll(replicas)) {
                seen.add(future.get());
            }
            assertThat(seen).hasSize(8);
            assertThat(seen.stream().distinct()).hasSize(1);
        }
    }

    @Test
    void everyChangeIsMadeOnTheNewestContent() throws Exception {
        List<Callable<Boolean>> writers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            var key = "key-" + i;
            writers.add(() -> new Secrets(cluster, "default")
                    .change("shared", "Opaque", there -> {
                        var next = new TreeMap<>(there.orElse(Map.of()));
                        next.put(key, bytes(key));
                        return Optional.of(next);
                    })
                    .isPresent());
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var future : threads.invokeAll(writers)) {
                assertThat(future.get()).isTrue();
            }
        }
        assertThat(new Secrets(cluster, "default").read("shared").orElseThrow()).hasSize(6);
    }

    @Test
    void aBundleIsWrittenIntoEveryWebhookOnce() {
        cluster.client()
                .admissionRegistration()
                .v1()
                .mutatingWebhookConfigurations()
                .resource(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName("berth")
                        .endMetadata()
                        .addNewWebhook()
                        .withName("a.berth.dev")
                        .withSideEffects("None")
                        .withAdmissionReviewVersions("v1")
                        .withNewClientConfig()
                        .withUrl("https://127.0.0.1:1/")
                        .endClientConfig()
                        .endWebhook()
                        .build())
                .create();
        var bundles = new CaBundles(cluster);

        assertThat(bundles.writeMutating("berth", "PEM")).isEqualTo(CaBundles.Outcome.WRITTEN);
        assertThat(bundles.writeMutating("berth", "PEM")).isEqualTo(CaBundles.Outcome.UNCHANGED);
        assertThat(bundles.writeValidating("berth", "PEM")).isEqualTo(CaBundles.Outcome.ABSENT);
        assertThat(cluster.client()
                        .admissionRegistration()
                        .v1()
                        .mutatingWebhookConfigurations()
                        .withName("berth")
                        .get()
                        .getWebhooks()
                        .getFirst()
                        .getClientConfig()
                        .getCaBundle())
                .isEqualTo(Base64.getEncoder().encodeToString(bytes("PEM")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
