package dev.berth.claims.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The CRDs know what the records know, field by field. */
class ClaimDefinitionsTest {
    private static final Pattern KNOWN = Pattern.compile("is not known here; known are (.*)$");

    private static JsonNode schema(String kind) {
        for (String yaml : ClaimDefinitions.yaml()) {
            var body = Manifests.read("crd", yaml).getFirst().body();
            if (body.at("/spec/names/kind").asText().equals(kind)) {
                return body.at("/spec/versions/0/schema/openAPIV3Schema");
            }
        }
        throw new AssertionError("no definition of " + kind);
    }

    /**
     * A field that nobody knows makes the reader list those it knows.
     *
     * @param at where in the object, and in the schema: a step {@code []} goes into the items of a list
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "DeviceDriver | /                               | {deviceTypes: [a]}",
                "DeviceClass  | /spec                           | {spec: {driver: d}}",
                "DeviceClass  | /spec/definition                | {spec: {definition: {driver: d}}}",
                "DeviceClass  | /spec/definition/configs/[]     | {spec: {definition: {driver: d, configs: [{apiVersion: v1, kind: K, name: n}]}}}",
                "DeviceClass  | /spec/selector                  | {spec: {selector: {matchLabels: {a: b}}}}",
                "DeviceClass  | /spec/selector/matchExpressions/[] | {spec: {selector: {matchExpressions: [{key: a, operator: Exists}]}}}",
                "DeviceClaim  | /spec                           | {spec: {devices: [{name: g, class: c}]}}",
                "DeviceClaim  | /spec/devices/[]                | {spec: {devices: [{name: g, class: c}]}}",
                "DeviceClaim  | /spec/devices/[]/allOf/[]       | {spec: {devices: [{name: g, allOf: [{class: c}]}]}}",
                "DeviceClaim  | /spec/devices/[]/oneOf/[]       | {spec: {devices: [{name: g, oneOf: [{class: c}]}]}}",
                "DeviceClaim  | /spec/devices/[]/allOf/[]/configs/[] | {spec: {devices: [{name: g, allOf: [{class: c, configs: [{apiVersion: v1, kind: K, name: n}]}]}]}}",
                "DeviceClaim  | /status                         | {spec: {devices: [{name: g, class: c}]}, status: {podNames: [a]}}",
                "DeviceClaim  | /status/allocations/[]          | {spec: {devices: [{name: g, class: c}]}, status: {allocations: [{devicePoolName: p}]}}",
                "DeviceClaim  | /status/allocations/[]/allocations/[] | {spec: {devices: [{name: g, class: c}]}, status: {allocations: [{devicePoolName: p, allocations: [{name: a, allocation: 1}]}]}}",
                "DevicePool   | /spec                           | {spec: {driver: d, devices: []}}",
                "DevicePool   | /spec/attributes/[]             | {spec: {driver: d, devices: [], attributes: [{name: a}]}}",
                "DevicePool   | /spec/devices/[]                | {spec: {driver: d, devices: [{name: a}]}}",
                "DevicePool   | /spec/devices/[]/attributes/[]  | {spec: {driver: d, devices: [{name: a, attributes: [{name: a}]}]}}",
                "DevicePrivilegedClaim | /spec                  | {spec: {driver: d}}",
                "DevicePrivilegedClaim | /status                | {spec: {driver: d}, status: {podNames: [a]}}",
            })
    void theSchemaHasTheFieldsThatAreRead(String kind, String at, String rest) {
        ObjectNode body = Manifests.read("f", rest).getFirst().body().deepCopy();
        body.put("apiVersion", Group.API_VERSION)
                .put("kind", kind)
                .putObject("metadata")
                .put("name", "n");
        String[] steps =
                Arrays.stream(at.split("/")).filter(step -> !step.isEmpty()).toArray(String[]::new);
        JsonNode schema = schema(kind);
        JsonNode place = body;
        for (String step : steps) {
            schema = step.equals("[]")
                    ? schema.path("items")
                    : schema.path("properties").path(step);
            place = step.equals("[]") ? place.get(0) : place.get(step);
        }
        Set<String> published = new TreeSet<>();
        schema.path("properties").fieldNames().forEachRemaining(published::add);
        ((ObjectNode) place).put("zzz", 1);

        Set<String> known = known(kind, body);
        if (steps.length == 0) {
            published.add("status"); // every object may have one; drivers have nothing to say in it
        }
        assertThat(known).isEqualTo(published);
    }

    private static Set<String> known(String kind, ObjectNode body) {
        try {
            KindsTest.read(dev.berth.claims.manifest.Manifest.of("f", body));
        } catch (ManifestException wrong) {
            var matcher = KNOWN.matcher(String.valueOf(wrong.getMessage()));
            assertThat(matcher.find()).as(wrong.getMessage()).isTrue();
            return new TreeSet<>(Set.of(matcher.group(1).split(", ")));
        }
        throw new AssertionError(kind + " takes a field that nobody knows");
    }

    @Test
    void theExampleIsTheOneThatTheServerHas() throws Exception {
        assertThat(Files.readString(Path.of("../examples/claims/foozerconfig-crd.yaml")))
                .isEqualTo(ClaimDefinitions.example());
    }
}
