package dev.berth.apiserver.patch;

import static dev.berth.apiserver.patch.Json.json;
import static dev.berth.apiserver.patch.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.apiserver.status.ApiException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {a: 'b'}            | {a: 'c'}                | {a: 'c'}
            {a: 'b'}            | {b: 'c'}                | {a: 'b', b: 'c'}
            {a: 'b'}            | {a: null}               | {}
            {a: 'b', b: 'c'}    | {a: null}               | {b: 'c'}
            {a: ['b']}          | {a: 'c'}                | {a: 'c'}
            {a: 'c'}            | {a: ['b']}              | {a: ['b']}
            {a: {b: 'c'}}       | {a: {b: 'd', c: null}}  | {a: {b: 'd'}}
            {a: [{b: 'c'}]}     | {a: [1]}                | {a: [1]}
            {e: null}           | {a: 1}                  | {e: null, a: 1}
            {}                  | {a: {b: {c: null}}}     | {a: {b: {}}}
            {a: 'x'}            | {a: {b: null, c: 1}}    | {a: {c: 1}}
            {a: {b: 1}}         | {}                      | {a: {b: 1}}
            """)
    void mergesAsTheRfcSays(String original, String patch, String result) {
        assertThat(MergePatch.apply(object(original), json(patch))).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            null | Invalid JSON Patch
            []   | error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}
            'a'  | error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}
            """)
    void whatIsNotAnObjectIsABadRequest(String patch, String message) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> MergePatch.apply(object("{a: 1}"), json(patch)))
                .withMessage(message)
                .matches(e -> e.code() == 400 && e.reason().equals("BadRequest"));
    }
}
