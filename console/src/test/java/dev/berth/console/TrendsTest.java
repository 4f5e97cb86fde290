package dev.berth.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Capacity;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import dev.berth.kube.explain.NodeReport;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TrendsTest {
    private static final NodeName NODE = new NodeName("n1");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static NodeReport.Cell cell(int index, int cores, String... pods) {
        var device = new Device(DeviceId.ofIndex(index), NODE)
                .inParts()
                .withCapacities(Map.of("cores", Capacity.of(Quantity.of(100))));
        var share = cores == 100 ? Share.WHOLE : new Share.Part(Map.of("cores", Quantity.of(cores)));
        var entries = Arrays.stream(pods)
                .map(pod -> Entry.confirmed(device.id(), Holder.pod(Door.EXTENDER, "team", pod, pod), share))
                .toList();
        return new NodeReport.Cell(device, Map.of(Door.EXTENDER, device), "M40", entries);
    }

    private static NodeReport node(NodeReport.Cell... cells) {
        return new NodeReport(NODE, "ready", List.of(cells), List.of(), List.of());
    }

    @Test
    void whatIsFreeOnGpusThatAreHeldInPartIsFragmented() {
        var shares = Trends.shares(List.of(node(cell(0, 100, "a"), cell(1, 50, "b"), cell(2, 0))));

        assertThat(shares.get("M40")).isEqualTo(new Trends.Share(3, 0.5, 0.5 / 1.5));
    }

    @Test
    void gpusThatPodsHaveByNumberAreNotFree() {
        var node = new NodeReport(
                NODE,
                "ready",
                List.of(cell(0, 0), cell(1, 100, "a"), cell(2, 0)),
                List.of(),
                List.of(new NodeReport.PlainPod("team/plain", 1)));

        assertThat(Trends.shares(List.of(node)).get("M40")).isEqualTo(new Trends.Share(3, 2 / 3.0, 0));
        var figures = Figures.of(List.of(node), 0, Map.of());
        assertThat(figures.gpus())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(new Figures.Key("M40", "held"), 2, new Figures.Key("M40", "free"), 1));
        assertThat(figures.held())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(new Figures.Key("M40", "extender"), 1, new Figures.Key("M40", "outside"), 1));
        var row = Board.row(node);
        assertThat(row.path("free").asInt()).isEqualTo(1);
        assertThat(row.at("/devices/0").has("byNumber")).isFalse();
        assertThat(row.at("/devices/2/byNumber").asBoolean()).isTrue();
    }

    @Test
    void samplesAreTakenAtMostEveryFewSecondsAndTheOldestGo() {
        var trends = new Trends();
        for (int second = 0; second < 5000; second++) {
            trends.saw(START.plusSeconds(second), second, Map.of());
        }

        var samples = trends.json().path("samples");
        assertThat(samples).hasSize(720);
        assertThat(samples.get(719).path("waiting").asInt()).isEqualTo(4995);
    }

    @Test
    void aDeviceRemembersWhoHeldIt() {
        var holders = new Holders();
        holders.saw(START, List.of(node(cell(0, 0))));
        holders.saw(START.plusSeconds(1), List.of(node(cell(0, 100, "a"))));
        holders.saw(START.plusSeconds(2), List.of(node(cell(0, 100, "a"))));
        holders.saw(START.plusSeconds(3), List.of(node(cell(0, 0))));

        assertThat(holders.json("n1", "0"))
                .hasToString(
                        "[{\"at\":\"2026-01-01T00:00:03Z\",\"pods\":[]},{\"at\":\"2026-01-01T00:00:01Z\",\"pods\":[\"team/a\"]}]");
        assertThat(holders.json("n1", "1")).isEmpty();
    }

    @Test
    void gpusAreCountedByStateAndByTheDoorsThatGaveThemOut() {
        var closed = new NodeReport(new NodeName("n2"), "cordoned", List.of(cell(0, 0)), List.of(), List.of());

        var figures = Figures.of(
                List.of(node(cell(0, 100, "a"), cell(1, 50, "b", "c"), cell(2, 10, "d"), cell(3, 0)), closed),
                2,
                Map.of(new Figures.Key("extender", "taken"), 2));

        assertThat(figures.gpus())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        new Figures.Key("M40", "held"), 2,
                        new Figures.Key("M40", "shared"), 1,
                        new Figures.Key("M40", "free"), 1,
                        new Figures.Key("M40", "closed"), 1));
        assertThat(figures.held()).containsExactlyEntriesOf(Map.of(new Figures.Key("M40", "extender"), 3));
    }

    @Test
    void aRowSaysHowFullEachCapacityIsAndWhoHoldsIt() {
        var row = Board.row(node(cell(0, 40, "a")));

        assertThat(row.at("/devices/0/parts/cores").asDouble()).isEqualTo(0.4);
        assertThat(row.at("/devices/0/holders/0/pod").asText()).isEqualTo("team/a");
        assertThat(row.at("/devices/0/holders/0/share").asText()).isEqualTo("40 cores");
    }
}
