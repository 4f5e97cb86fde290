package dev.berth.apiserver.kinds;

import static dev.berth.apiserver.kinds.Json.widgets;
import static dev.berth.apiserver.kinds.Json.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages are those of kube-apiserver 1.36.3 for the same schemas and objects. */
class CustomValidationTest {
    private static final Schemas SCHEMAS = Schemas.load();
    private final LiveCatalog catalog = new LiveCatalog(SCHEMAS);
    private final CustomValidation validation = new CustomValidation(catalog);

    private static ObjectNode widget(String spec) {
        ObjectNode widget = yaml("{apiVersion: example.com/v1, kind: Widget, metadata: {name: a}}");
        widget.set("spec", yaml("v: " + spec).get("v"));
        return widget;
    }

    private List<String> errors(String specSchema, String spec) {
        catalog.define(widgets(specSchema));
        return words(validation.validate(type(), widget(spec), null));
    }

    private List<String> errorsOfUpdate(String specSchema, String before, String after) {
        catalog.define(widgets(specSchema));
        return words(validation.validate(type(), widget(after), widget(before)));
    }

    private static List<String> words(List<FieldError> errors) {
        return errors.stream()
                .map(error -> error.field() + ": " + error.message())
                .toList();
    }

    private ResourceType type() {
        return catalog.byPath("example.com", "v1", "widgets").orElseThrow();
    }

    private static final String SCHEMA = """
            type: object
            properties:
              size: {type: integer, minimum: 1, maximum: 10}
              color: {type: string, enum: [red, green]}
              name: {type: string, pattern: '^[a-z]+$', maxLength: 5, minLength: 2}
              when: {type: string, format: date-time}
              port: {x-kubernetes-int-or-string: true}
              tags: {type: array, items: {type: string}, maxItems: 3, minItems: 1, x-kubernetes-list-type: set}
              ratio: {type: number, multipleOf: 0.5, exclusiveMinimum: true, minimum: 0}
              flag: {type: boolean}
              map: {type: object, additionalProperties: {type: integer}, maxProperties: 2, minProperties: 1}
              items: {type: array, items: {type: object, required: [key], properties: {key: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key]}
              emb: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              maybe: {type: string, nullable: true}
              either: {type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}
              any: {type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}
              without: {type: object, properties: {a: {type: string}}, not: {required: [a]}}
              small: {type: integer, format: int32}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {flag: 1} | spec.flag: Invalid value: "integer": spec.flag in body must be of type boolean: "integer"
        {port: true} | spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"
        {color: blue} | spec.color: Unsupported value: "blue": supported values: "red", "green"
        {name: abcdefg} | spec.name: Too long: may not be more than 5 bytes
        {name: a} | spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long
        {name: ABC} | spec.name: Invalid value: "ABC": spec.name in body should match '^[a-z]+$'
        {size: 11} | spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10
        {size: 0} | spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1
        {ratio: 0.3} | spec.ratio: Invalid value: 0.3: spec.ratio in body should be a multiple of 0.5
        {ratio: 0} | spec.ratio: Invalid value: 0: spec.ratio in body should be greater than 0
        {when: x} | spec.when: Invalid value: "x": spec.when in body must be of type date-time: "x"
        {tags: [a, b, c, d]} | spec.tags: Too many: 4: must have at most 3 items
        {tags: []} | spec.tags: Invalid value: 0: spec.tags in body should have at least 1 items
        {tags: [a, a]} | spec.tags[1]: Duplicate value: "a"
        {map: {a: b}} | spec.map.a: Invalid value: "string": spec.map.a in body must be of type integer: "string"
        {map: {a: 1, b: 2, c: 3}} | spec.map: Too many: 3: must have at most 2 items
        {map: {}} | spec.map: Invalid value: 0: spec.map in body should have at least 1 properties
        {items: [{}]} | spec.items[0].key: Required value
        {items: [{key: a}, {key: a}]} | spec.items[1]: Duplicate value: {"key":"a"}
        {either: {a: x, b: y}} | <nil>: Invalid value: "": "spec.either" must validate one and only one schema (oneOf). Found 2 valid alternatives
        {without: {a: x}} | <nil>: Invalid value: "": "spec.without" must not validate the schema (not)
        {small: 99999999999} | <nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.small
        [] | spec: Invalid value: "array": spec in body must be of type object: "array"
        """)
    void oneFaultIsOneError(String spec, String error) {
        assertThat(errors(SCHEMA, spec)).containsExactly(error);
    }

    @Test
    void alternativesSayWhatTheFirstWouldNeed() {
        assertThat(errors(SCHEMA, "{either: {}}"))
                .containsExactly(
                        "<nil>: Invalid value: \"\": \"spec.either\" must validate one and only one schema (oneOf). Found none valid",
                        "spec.either.a: Required value");
        assertThat(errors(SCHEMA, "{any: {}}"))
                .containsExactly(
                        "<nil>: Invalid value: \"\": \"spec.any\" must validate at least one schema (anyOf)",
                        "spec.any.a: Required value");
    }

    @Test
    void embeddedResourcesNeedAKind() {
        assertThat(errors(SCHEMA, "{emb: {x: 1}}"))
                .containsExactly("spec.emb.apiVersion: Required value", "spec.emb.kind: Required value");
    }

    @Test
    void whatIsRightPasses() {
        assertThat(
                        errors(
                                SCHEMA,
                                "{size: 3, color: red, name: abc, when: '2026-01-01T00:00:00Z', port: http, tags: [a], ratio: 1.5, flag: true, map: {a: 1}, items: [{key: a}], maybe: null, either: {a: x}, any: {b: y}, without: {}}"))
                .isEmpty();
        assertThat(errors(SCHEMA, "{port: 80, ratio: 1, flag: null}")).isEmpty();
    }

    @Test
    void anotherKindIsInvalid() {
        catalog.define(widgets(SCHEMA));
        ObjectNode gadget = widget("{}").put("kind", "Gadget");
        assertThat(words(validation.validate(type(), gadget, null)))
                .containsExactly("kind: Invalid value: \"Gadget\": must be Widget");
    }

    @Test
    void builtInTypesAreNotAsked() {
        var pods = catalog.byPath("", "v1", "pods").orElseThrow();
        assertThat(validation.validate(pods, yaml("{}"), null)).isEmpty();
    }

    private static final String RULES = """
            type: object
            properties:
              num: {type: integer, x-kubernetes-validations: [{rule: "self > 3"}, {rule: "self == oldSelf", message: "num is immutable"}]}
              s: {type: string, x-kubernetes-validations: [{rule: "self.startsWith('a')", messageExpression: "'must start with a: ' + self"}]}
              l: {type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(x, x != 'bad')", message: "no bad"}]}
              m: {type: object, additionalProperties: {type: integer, x-kubernetes-validations: [{rule: "self > 0"}]}}
              keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key], items: {type: object, properties: {key: {type: string}, v: {type: integer, x-kubernetes-validations: [{rule: "self >= oldSelf"}]}}}}
              from-to: {type: integer}
              namespace: {type: string}
              at: {type: string, format: date-time, x-kubernetes-validations: [{rule: "self > timestamp('2020-01-01T00:00:00Z')"}]}
            x-kubernetes-validations:
            - {rule: "!has(self.num) || self.num < 100", fieldPath: ".num", reason: FieldValueForbidden, message: "too big"}
            - {rule: "!has(self.from__dash__to) || self.from__dash__to == 1"}
            - {rule: "!has(self.__namespace__) || self.__namespace__ != 'bad'", message: "a bad namespace"}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {num: 2} | spec.num: Invalid value: 2: failed rule: self > 3
        {num: 200} | spec.num: Forbidden: too big
        {s: bc} | spec.s: Invalid value: "bc": must start with a: bc
        {l: [bad]} | spec.l: Invalid value: no bad
        {m: {k: 0}} | spec.m[k]: Invalid value: 0: failed rule: self > 0
        {namespace: bad} | spec: Invalid value: a bad namespace
        {from-to: 2} | `spec: Invalid value: failed rule: !has(self.from__dash__to) || self.from__dash__to == 1`
        {at: '2019-01-01T00:00:00Z'} | spec.at: Invalid value: "2019-01-01T00:00:00Z": failed rule: self > timestamp('2020-01-01T00:00:00Z')
        """)
    void rulesRefuse(String spec, String error) {
        assertThat(errors(RULES, spec)).containsExactly(error);
    }

    @Test
    void rulesPass() {
        assertThat(errors(RULES, "{num: 5, s: abc, l: [good], m: {k: 1}, from-to: 1, at: '2026-01-01T00:00:00Z'}"))
                .isEmpty();
    }

    @Test
    void transitionRulesCompareWithWhatWas() {
        assertThat(errorsOfUpdate(RULES, "{num: 5}", "{num: 6}"))
                .containsExactly("spec.num: Invalid value: 6: num is immutable");
        assertThat(errorsOfUpdate(RULES, "{}", "{num: 6}")).isEmpty();
    }

    @Test
    void keyedListsRememberTheirItems() {
        assertThat(errorsOfUpdate(
                        RULES,
                        "{keyed: [{key: a, v: 1}, {key: b, v: 5}]}",
                        "{keyed: [{key: b, v: 4}, {key: a, v: 2}]}"))
                .containsExactly("spec.keyed[0].v: Invalid value: 4: failed rule: self >= oldSelf");
    }

    @Test
    void rulesAreNotTriedOnWhatIsBroken() {
        assertThat(errors(RULES, "{num: x}"))
                .containsExactly(
                        "spec.num: Invalid value: \"string\": spec.num in body must be of type integer: \"string\"",
                        "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation");
    }
}
