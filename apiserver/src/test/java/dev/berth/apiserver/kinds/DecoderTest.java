package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static dev.berth.apiserver.kinds.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages are those of kube-apiserver 1.36.3 for the same bodies. */
class DecoderTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);
    private final Decoder decoder = new Decoder(catalog);

    private Decoder.Decoded decode(String plural, String body) {
        return decoder.decode(
                body.getBytes(StandardCharsets.UTF_8),
                Decoder.Format.JSON,
                catalog.byPath("", "v1", plural).orElseThrow());
    }

    private Decoder.Decoded widget(String spec) {
        catalog.define(widgets("""
                type: object
                properties:
                  size: {type: integer}
                  color: {type: string, default: red}
                  free: {type: object, x-kubernetes-preserve-unknown-fields: true}
                  items: {type: array, items: {type: object, properties: {key: {type: string}, value: {type: string, default: x}}}}
                  maybe: {type: string, nullable: true, default: y}
                  emb: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
                """));
        String body =
                "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\"}," + spec + "}";
        return decoder.decode(
                body.getBytes(StandardCharsets.UTF_8),
                Decoder.Format.JSON,
                catalog.byPath("example.com", "v1", "widgets").orElseThrow());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"metadata":{"name":"a"},"data":{"a":1}} | json: cannot unmarshal number into Go struct field ConfigMap.data of type string
        {"metadata":{"name":"a","labels":{"a":1}}} | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string
        {"metadata":{"name":"a","labels":"x"}} | json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string
        {"metadata":{"name":5}} | json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string
        {"metadata":{"creationTimestamp":"nope"}} | parsing time "nope" as "2006-01-02T15:04:05Z07:00": cannot parse "nope" as "2006"
        """)
    void aConfigMapOfWrongTypesIsRefused(String body, String why) {
        assertThatThrownBy(() -> decode("configmaps", body))
                .isInstanceOf(ApiException.class)
                .hasMessage("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: " + why);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"spec":{"containers":[{"name":"a","foo":1,"ports":[{"containerPort":"x"}]}]}} | json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32
        {"spec":{"containers":[{"resources":{"limits":{"cpu":1.5,"memory":true}}}]}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
        {"spec":{"containers":[{"resources":{"limits":{"cpu":"abc"}}}]}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
        {"spec":{"containers":{"name":"a"}}} | json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container
        {"spec":[]} | json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec
        {"spec":{"priority":99999999999}} | json: cannot unmarshal number 99999999999 into Go struct field PodSpec.spec.priority of type int32
        """)
    void aPodOfWrongTypesIsRefused(String body, String why) {
        assertThatThrownBy(() -> decode("pods", body))
                .isInstanceOf(ApiException.class)
                .hasMessage("Pod in version \"v1\" cannot be handled as a Pod: " + why);
    }

    @Test
    void secretsAreBase64() {
        assertThatThrownBy(() -> decode("secrets", "{\"data\":{\"a\":\"!!\"}}"))
                .hasMessage(
                        "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte 0");
    }

    @Test
    void unknownAndDuplicateFieldsAreNamedInTheirOrder() {
        var decoded = decode("pods", """
                {"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","foo":1,"env":[{"name":"x","name":"x","valu":"x"},{"name":"y","valu":"x"}]}],"foo":2},"spec":{"a":1}}""");
        assertThat(decoded.complaints())
                .containsExactly(
                        "unknown field \"spec.containers[0].foo\"",
                        "duplicate field \"spec.containers[0].env[0].name\"",
                        "unknown field \"spec.containers[0].env[0].valu\"",
                        "unknown field \"spec.containers[0].env[1].valu\"",
                        "unknown field \"spec.foo\"",
                        "duplicate field \"spec\"",
                        "unknown field \"spec.a\"");
    }

    @Test
    void strictnessRefuses() {
        var decoded = decode("configmaps", "{\"foo\":1,\"data\":{\"a\":\"1\",\"a\":\"2\"},\"bar\":{}}");
        assertThatThrownBy(() -> decoded.enforce(Decoder.Strictness.STRICT, _ -> {}))
                .hasMessage(
                        "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: unknown field \"foo\", duplicate field \"data.a\", unknown field \"bar\"");
    }

    @Test
    void warningsAreHandedOnAndUnknownFieldsKept() {
        var warnings = new ArrayList<String>();
        ObjectNode kept = decode("configmaps", "{\"foo\":1}").enforce(Decoder.Strictness.WARN, warnings::add);
        assertThat(warnings).containsExactly("unknown field \"foo\"");
        assertThat(kept.path("foo").asInt()).isEqualTo(1);
        assertThat(decode("configmaps", "{\"foo\":1}").enforce(Decoder.Strictness.IGNORE, _ -> {
                    throw new AssertionError();
                }))
                .isEqualTo(kept);
    }

    @Test
    void whatABodyDoesNotSayOfItselfIsFilledIn() {
        ObjectNode pod = decode("pods", "{}").object();
        assertThat(pod).isEqualTo(yaml("{apiVersion: v1, kind: Pod}"));
    }

    @Test
    void deviceClaimsAreNoUnknownFields() {
        var pod = decode(
                "pods",
                "{\"spec\":{\"deviceClaims\":{\"claimName\":\"x\"},\"containers\":[{\"name\":\"a\",\"devices\":[{\"name\":\"gpu\"}]}]}}");
        assertThat(pod.complaints()).isEmpty();
    }

    @Test
    void nullsAreFineEverywhere() {
        assertThat(decode("pods", "{\"metadata\":{\"creationTimestamp\":null},\"spec\":{\"containers\":null}}")
                        .complaints())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        `{"metadata":{"name":"a"` | couldn't get version/kind; json parse error: unexpected end of JSON input ({"metadata":{"name":"a")
        `` | couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)
        `{"metadata":{"name":"a"}} {"x":1}` | couldn't get version/kind; json parse error: invalid character '{' after top-level value ({"metadata":{"name":"a"}} {"x" ...)
        """)
    void malformedBodiesAreRefused(String body, String why) {
        assertThatThrownBy(() -> decode("pods", body))
                .hasMessage("the object provided is unrecognized (must be of type Pod): " + why);
    }

    @Test
    void aListIsNoObject() {
        assertThatThrownBy(() -> decode("pods", "[]"))
                .hasMessageStartingWith(
                        "the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct")
                .hasMessageEndingWith("(5b5d)");
    }

    @Test
    void anotherKindIsRefused() {
        assertThatThrownBy(() -> decode("configmaps", "{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}"))
                .hasMessage(
                        "Pod in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion");
        assertThatThrownBy(() -> decode("configmaps", "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v2\"}"))
                .hasMessage(
                        "ConfigMap in version \"v2\" cannot be handled as a ConfigMap: no kind \"ConfigMap\" is registered for version \"v2\" in scheme \"pkg/runtime/scheme.go:111\"");
    }

    @Test
    void yamlIsReadToo() {
        var decoded = decoder.decode(
                "metadata: {name: a, foo: 1}\ndata:\n  a: b\n".getBytes(StandardCharsets.UTF_8),
                Decoder.Format.YAML,
                catalog.byPath("", "v1", "configmaps").orElseThrow());
        assertThat(decoded.object().at("/data/a").asText()).isEqualTo("b");
        assertThat(decoded.complaints()).containsExactly("unknown field \"metadata.foo\"");
    }

    @Test
    void bindingsHaveASchemaOfTheirOwn() {
        var decoded = decoder.decode(
                "{\"target\":{\"nme\":\"a\"}}".getBytes(StandardCharsets.UTF_8), Decoder.Format.JSON, "v1", "Binding");
        assertThat(decoded.complaints()).containsExactly("unknown field \"target.nme\"");
    }

    @Test
    void customObjectsArePruned() {
        var decoded = widget("""
                "foo":1,"spec":{"size":1,"x":2,"x":3,"items":[{"key":"a","y":1}],"free":{"z":1,"z":2},"emb":{"apiVersion":"v1","kind":"X","metadata":{"name":"a","foo":1},"q":1}}""");
        assertThat(decoded.complaints())
                .containsExactly(
                        "duplicate field \"spec.x\"",
                        "duplicate field \"spec.free.z\"",
                        "unknown field \"foo\"",
                        "unknown field \"spec.items[0].y\"",
                        "unknown field \"spec.x\"",
                        "unknown field \"spec.emb.metadata.foo\"");
        assertThat(decoded.object().path("spec"))
                .isEqualTo(
                        yaml(
                                "{size: 1, color: red, maybe: y, items: [{key: a, value: x}], free: {z: 2}, emb: {apiVersion: v1, kind: X, metadata: {name: a}, q: 1}}"));
    }

    @Test
    void customObjectsGetDefaultsForNullsThatMayNotBe() {
        assertThat(widget("\"spec\":{\"color\":null,\"maybe\":null}").object().path("spec"))
                .isEqualTo(yaml("{color: red, maybe: null}"));
    }

    @Test
    void customObjectsMustSayTheirKind() {
        catalog.define(widgets("{type: object}"));
        var type = catalog.byPath("example.com", "v1", "widgets").orElseThrow();
        assertThatThrownBy(() -> decoder.decode(
                        "{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8), Decoder.Format.JSON, type))
                .hasMessage(
                        "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '{\"metadata\":{\"name\":\"a\"}}' ({\"metadata\":{\"name\":\"a\"}})");
        assertThatThrownBy(() -> decoder.decode(
                        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}".getBytes(StandardCharsets.UTF_8),
                        Decoder.Format.JSON,
                        type))
                .hasMessage(
                        "the API version in the data (v1) does not match the expected API version (example.com/v1)");
    }

    @Test
    void aPatchThatLeavesSomethingWrongIsInvalid() {
        var type = catalog.byPath("", "v1", "configmaps").orElseThrow();
        var decoded = decoder.patched(
                yaml("{apiVersion: v1, kind: ConfigMap, foo: 1}"), type, List.of("duplicate field \"foo\""));
        assertThatThrownBy(() -> decoded.enforce(Decoder.Strictness.STRICT, _ -> {}))
                .hasMessage(
                        " \"\" is invalid: patch: Invalid value: \"{\\\"apiVersion\\\":\\\"v1\\\",\\\"kind\\\":\\\"ConfigMap\\\",\\\"foo\\\":1}\": strict decoding error: duplicate field \"foo\", unknown field \"foo\"")
                .satisfies(e -> assertThat(((ApiException) e).code()).isEqualTo(422));
        assertThatThrownBy(() -> decoder.patched(yaml("{apiVersion: v1, kind: ConfigMap, data: 1}"), type, List.of()))
                .hasMessageEndingWith(
                        "json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string");
    }

    @Test
    void duplicatesOfAPatchAreFound() {
        assertThat(decoder.duplicates("{\"spec\":{\"foo\":1,\"foo\":2}}".getBytes(StandardCharsets.UTF_8)))
                .containsExactly("duplicate field \"spec.foo\"");
        assertThat(decoder.duplicates("{}".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
