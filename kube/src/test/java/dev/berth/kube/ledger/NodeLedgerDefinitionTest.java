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
import dev.berth.kube.Metadata;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class NodeLedgerDefinitionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<Class<?>, String> TYPES = Map.of(
            String.class,
            "string",
            int.class,
            "integer",
            Integer.class,
            "integer",
            List.class,
            "array",
            Map.class,
            "object");

    private final JsonNode definition =
            JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(NodeLedgerDefinition.yaml()));
    private final JsonNode spec = definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");

    @Test
    void theSchemaHasTheFieldsOfTheRecordsAndNoOthers() {
        assertThat(fields(spec)).isEqualTo(fields(NodeLedgerSpec.class));
        assertThat(fields(spec.at("/properties/summary"))).isEqualTo(fields(NodeLedgerSpec.Summary.class));
    }

    @Test
    void theNamesAreTheOnesThatTheClientUses() {
        var type = NodeLedger.class;

        assertThat(definition.at("/metadata/name").asText()).isEqualTo(HasMetadata.getFullResourceName(type));
        assertThat(definition.at("/spec/group").asText()).isEqualTo(HasMetadata.getGroup(type));
        assertThat(definition.at("/spec/names/kind").asText()).isEqualTo(HasMetadata.getKind(type));
        assertThat(definition.at("/spec/names/plural").asText()).isEqualTo(HasMetadata.getPlural(type));
        assertThat(definition.at("/spec/versions/0/name").asText()).isEqualTo(HasMetadata.getVersion(type));
        assertThat(definition.at("/spec/scope").asText()).isEqualTo("Cluster");
        assertThat(Namespaced.class.isAssignableFrom(type)).isFalse();
    }

    @Test
    void anObjectSaysWhatItIsAndNothingThatNobodyGaveIt() {
        var object = new NodeLedger();
        object.setMetadata(Metadata.named("node-1"));

        assertThat(JSON.<JsonNode>valueToTree(object))
                .isEqualTo(JSON.valueToTree(Map.of(
                        "apiVersion",
                        "berth.dev/v1alpha1",
                        "kind",
                        "NodeLedger",
                        "metadata",
                        Map.of("name", "node-1"),
                        "spec",
                        Map.of("lines", List.of()))));
    }

    @Test
    void whatIsWrittenIsReadBackTheSame() throws Exception {
        var gpu = new DeviceId("GPU-1");
        var half = new Share.Part(Map.of("cores", Quantity.of(50), "memory", Quantity.parse("0.5")));
        var holdings = Holdings.of(List.of(
                Entry.confirmed(gpu, Holder.pod(Door.EXTENDER, "default", "anna", "uid-1"), half),
                Entry.assumed(
                        gpu,
                        Holder.reservation(Door.ASSIGNER, "default", "bert-", "request"),
                        half,
                        Instant.parse("2026-01-01T12:00:00Z")),
                Entry.confirmed(
                        new DeviceId("driver/pool/gpu-0"), Holder.pod(Door.CLAIMS, "a", "b", "uid-2"), Share.WHOLE)));

        var text = JSON.writeValueAsString(LedgerText.write(holdings, OptionalInt.of(8)));

        assertThat(LedgerText.read(JSON.readValue(text, NodeLedgerSpec.class))).isEqualTo(holdings);
        assertThat(LedgerText.sizeAtMost(holdings)).isGreaterThanOrEqualTo(text.length());
        assertThat(text).contains("\"driver/pool/gpu-0 whole claims a/b uid-2 = confirmed\"");
        assertThat(text).contains("\"summary\":{\"held\":2,\"free\":6,\"assumed\":1,\"contested\":0}");
    }

    @Test
    void aPageTakesNoMoreThanIsSaidOfIt() {
        var odd = "%/ ,=".repeat(40);
        var holdings = Holdings.of(List.of(Entry.assumed(
                new DeviceId(odd),
                Holder.pod(Door.CLAIMS, odd, odd, odd),
                new Share.Part(Map.of(odd, Quantity.of(1))),
                Instant.parse("2026-01-01T12:00:00.123456Z"))));

        assertThat(LedgerText.sizeAtMost(holdings))
                .isGreaterThanOrEqualTo(
                        LedgerLine.write(holdings.entries().findFirst().orElseThrow())
                                .length());
    }

    private static Map<String, String> fields(JsonNode schema) {
        var fields = new TreeMap<String, String>();
        schema.get("properties")
                .properties()
                .forEach(field ->
                        fields.put(field.getKey(), field.getValue().path("type").asText()));
        return fields;
    }

    private static Map<String, String> fields(Class<? extends Record> type) {
        var fields = new TreeMap<String, String>();
        Stream.of(type.getRecordComponents()).forEach(part -> fields.put(part.getName(), typeOf(part)));
        return fields;
    }

    private static String typeOf(RecordComponent part) {
        return TYPES.getOrDefault(part.getType(), "object");
    }
}
