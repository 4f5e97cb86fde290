package dev.berth.kube.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.Quantity;
import dev.berth.core.Share;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class LedgerLineTest {
    private static final DeviceId GPU = new DeviceId("GPU-1");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.5Z");

    /** What the API server lets in. */
    private static final Pattern SCHEMA = Pattern.compile(schema());

    private static String schema() {
        JsonNode definition = new ObjectMapper()
                .valueToTree(new Load(LoadSettings.builder().build()).loadFromString(NodeLedgerDefinition.yaml()));
        return definition
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/lines/items/pattern")
                .asText();
    }

    static Stream<Entry> entries() {
        var parts = new Share.Part(Map.of("cores", Quantity.of(50), "memory", Quantity.parse("0.5")));
        var odd = " 100% a/b,c=d\t-";
        return Stream.of(
                Entry.confirmed(GPU, Holder.pod(Door.EXTENDER, "default", "anna", "uid-1"), parts),
                Entry.assumed(GPU, Holder.reservation(Door.ASSIGNER, "default", "bert-", "request"), Share.WHOLE, NOON),
                Entry.confirmed(
                        new DeviceId("driver/pool/gpu-0"),
                        new Holder(Door.OUTSIDE, "", "", "id", Optional.of("another")),
                        new Share.Part(Map.of())),
                Entry.assumed(
                        new DeviceId(odd),
                        new Holder(Door.CLAIMS, odd, odd, odd, Optional.of("-")),
                        new Share.Part(Map.of(odd, Quantity.of(1))),
                        NOON),
                Entry.confirmed(GPU, new Holder(Door.PINNER, "a", "b", "=", Optional.of("=")), Share.WHOLE));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void anEntryIsReadAsItWasWrittenAndTheServerTakesIt(Entry entry) {
        var line = LedgerLine.write(entry);

        assertThat(LedgerLine.read(line)).isEqualTo(entry);
        assertThat(line).matches(SCHEMA);
    }

    @Test
    void aLineCanBeReadByPeople() {
        var share = new Share.Part(Map.of("cores", Quantity.of(50), "memory", Quantity.of(8)));
        var holder = Holder.pod(Door.EXTENDER, "default", "anna", "0b8c3c9e");

        assertThat(LedgerLine.write(Entry.confirmed(GPU, holder, share)))
                .isEqualTo("GPU-1 cores=50,memory=8 extender default/anna 0b8c3c9e = confirmed");
    }

    @ParameterizedTest
    @MethodSource("doors")
    void everyDoorMayWrite(Door door) {
        assertThat(LedgerLine.write(Entry.confirmed(GPU, Holder.pod(door, "a", "b", "c"), Share.WHOLE)))
                .matches(SCHEMA);
    }

    static Stream<Door> doors() {
        return Stream.of(Door.values());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GPU-1",
                "GPU-1 whole pinner default/anna id = ",
                "GPU-1 whole pinner default/anna id = assumed",
                "GPU-1 half pinner default/anna id = confirmed",
                "GPU-1 whole nobody default/anna id = confirmed",
                "GPU-1 whole pinner anna id = confirmed",
                "GPU-1 whole pinner default/anna id = until=soon",
                "GPU-1 whole pinner default/anna id = since=2026-11-18T10:00:00Z",
                "GPU-1 whole pinner default/anna id = confirmed again"
            })
    void theServerRefusesALineThatNobodyCanReadAndItsDeviceCountsAsHeld(String line) {
        assertThat(line).doesNotMatch(SCHEMA);
        var holdings = Holdings.of(new NodeLedgerSpec(null, List.of(line)).entries());

        assertThat(holdings.free(GPU)).isFalse();
        assertThat(holdings.of(GPU))
                .singleElement()
                .matches(entry -> entry.holder().door() == Door.OUTSIDE);
    }
}
