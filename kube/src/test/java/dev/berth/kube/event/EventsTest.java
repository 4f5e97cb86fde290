package dev.berth.kube.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.Cluster;
import dev.berth.kube.TestServer;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EventsTest {
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
    void equalHappeningsBecomeOneEventWithACount() {
        var pod = TestServer.pod(cluster, "counted");
        try (var events = events(10)) {
            for (int i = 0; i < 50; i++) {
                events.tell(Happening.about(
                        pod, Happening.Type.WARNING, "FailedScheduling", "Scheduling", "0/3 nodes fit"));
            }
        }

        assertThat(of("counted")).singleElement().satisfies(event -> {
            assertThat(event.getReason()).isEqualTo("FailedScheduling");
            assertThat(event.getType()).isEqualTo("Warning");
            assertThat(event.getReportingController()).isEqualTo("berth.dev/test");
            assertThat(event.getRegarding().getUid())
                    .isEqualTo(pod.getMetadata().getUid());
            assertThat(event.getSeries().getCount()).isEqualTo(50);
        });
    }

    @Test
    void afterABurstEventsWaitAndNoneIsLost() {
        var pods = new ArrayList<Pod>();
        for (int i = 0; i < 150; i++) {
            pods.add(TestServer.pod(cluster, "paced-" + i));
        }
        var stopped = Instant.now();
        var limits = new Events.Limits(Duration.ofMillis(100), 10, Duration.ofMinutes(5));
        try (var events = Events.start(cluster, "berth.dev/paced", "here", () -> stopped, limits)) {
            pods.forEach(pod -> events.tell(Happening.about(pod, Happening.Type.NORMAL, "Paced", "Waiting", "note")));
            TestServer.await("the burst", () -> written("berth.dev/paced") == 100);
        }

        assertThat(written("berth.dev/paced")).isEqualTo(150);
    }

    private static long written(String controller) {
        return cluster.client().events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> controller.equals(event.getReportingController()))
                .count();
    }

    @Test
    void anObjectThatCannotExistKeepsNobodyFromBeingTold() {
        var pod = TestServer.pod(cluster, "possible");
        var impossible = new PodBuilder(pod)
                .editMetadata()
                .withNamespace("a/b c")
                .endMetadata()
                .build();
        try (var events = events(5)) {
            events.tell(Happening.about(impossible, Happening.Type.NORMAL, "Odd", "Telling", "nobody will read this"));
            events.tell(Happening.about(pod, Happening.Type.NORMAL, "Fine", "Telling", "this is read"));
        }

        assertThat(of("possible")).extracting(Event::getReason).containsExactly("Fine");
    }

    @Test
    void oneObjectCannotFloodTheServer() {
        var pod = TestServer.pod(cluster, "loud");
        try (var events = events(5)) {
            for (int i = 0; i < 100; i++) {
                events.tell(Happening.about(pod, Happening.Type.NORMAL, "Loud", "Shouting", "note " + i));
            }
            TestServer.await("all handled", () -> events.dropped() == 95);
        }

        assertThat(of("loud")).hasSize(5);
    }

    @Test
    void tellingNeverWaitsEvenIfTheServerIsAway() {
        var wire = server.wire();
        var shaky = server.connectOver(wire);
        var pod = TestServer.pod(cluster, "away");
        wire.block();
        var events = Events.start(shaky, "berth.dev/test", "here", InstantSource.system(), Events.Limits.STANDARD);

        long begun = System.nanoTime();
        for (int i = 0; i < 20_000; i++) {
            events.tell(Happening.about(pod, Happening.Type.NORMAL, "Away", "Waiting", "note " + i));
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
        assertThat(events.dropped()).isGreaterThan(9_000);
        wire.unblock();
        events.close();
    }

    @Test
    void aLongNoteIsCutAtACharacter() {
        var note = Happening.cut("€".repeat(1000));

        assertThat(note.getBytes(StandardCharsets.UTF_8).length).isBetween(1020, 1024);
        assertThat(note).matches("€+…");
        assertThat(Happening.cut("🚢".repeat(300))).matches("(🚢)+…");
        assertThat(Happening.cut("x".repeat(1024))).hasSize(1024);
    }

    @Test
    void aBudgetRefillsWithTime() {
        var budget = new Budget(2, Duration.ofSeconds(30));
        var now = Instant.EPOCH;

        assertThat(List.of(budget.spend("a", now), budget.spend("a", now), budget.spend("a", now)))
                .containsExactly(true, true, false);
        assertThat(budget.spend("b", now)).isTrue();
        assertThat(budget.spend("a", now.plusSeconds(29))).isFalse();
        assertThat(budget.spend("a", now.plusSeconds(31))).isTrue();
    }

    private static Events events(int burst) {
        var limits = new Events.Limits(Duration.ofMillis(100), burst, Duration.ofMinutes(5));
        return Events.start(cluster, "berth.dev/test", "here", InstantSource.system(), limits);
    }

    private static List<Event> of(String pod) {
        return cluster.client().events().v1().events().inNamespace("default").list().getItems().stream()
                .filter(event -> event.getRegarding().getName().equals(pod))
                .toList();
    }
}
