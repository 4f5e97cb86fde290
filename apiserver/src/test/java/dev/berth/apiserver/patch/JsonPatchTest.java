package dev.berth.apiserver.patch;

import static dev.berth.apiserver.patch.Json.json;
import static dev.berth.apiserver.patch.Json.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.apiserver.status.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expectations were taken from kube-apiserver 1.36.3. */
class JsonPatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {a: 1}           | [{op:'add',path:'/b',value:2}]                           | {a: 1, b: 2}
            {a: [1,3]}       | [{op:'add',path:'/a/1',value:2}]                         | {a: [1,2,3]}
            {a: [1]}         | [{op:'add',path:'/a/-',value:2}]                         | {a: [1,2]}
            {a: [1]}         | [{op:'add',path:'/a/1',value:2}]                         | {a: [1,2]}
            {a: [1,2]}       | [{op:'add',path:'/a/-1',value:3}]                        | {a: [1,2,3]}
            {a: 1}           | [{op:'add',path:'/a'}]                                   | {a: null}
            {a: {'x/y': 1}}  | [{op:'remove',path:'/a/x~1y'}]                           | {a: {}}
            {a: {'x~y': 1}}  | [{op:'replace',path:'/a/x~0y',value:2}]                  | {a: {'x~y': 2}}
            {a: [1,2]}       | [{op:'remove',path:'/a/-1'}]                             | {a: [1]}
            {a: {}}          | [{op:'replace',path:'/a/b',value:1}]                     | {a: {b: 1}}
            {a: [1,2]}       | [{op:'replace',path:'/a/0',value:3}]                     | {a: [3,2]}
            {a: {b: 1}}      | [{op:'move',from:'/a/b',path:'/c'}]                      | {a: {}, c: 1}
            {a: {b: 1}}      | [{op:'copy',from:'/a',path:'/c'}]                        | {a: {b: 1}, c: {b: 1}}
            {a: {}}          | [{op:'copy',from:'/a/no',path:'/a/z'}]                   | {a: {z: null}}
            {a: 1}           | [{op:'test',path:'/a',value:1}]                          | {a: 1}
            {a: 1}           | [{op:'test',path:'/b'}]                                  | {a: 1}
            {a: 1}           | [{op:'test',path:'/b',value:null}]                       | {a: 1}
            {a: 1}           | [{op:'test',path:'',value:{a: 1}}]                       | {a: 1}
            {a: 1}           | [{op:'replace',path:'',value:{b: 2}}]                    | {b: 2}
            {a: 1}           | []                                                       | {a: 1}
            {a: 1}           | null                                                     | {a: 1}
            {}               | [{op:'add',path:'/a',value:{}},{op:'add',path:'/a/b',value:1}] | {a: {b: 1}}
            {'': 1}          | [{op:'remove',path:'/'}]                                 | {}
            """)
    void operationsApplyInOrder(String original, String patch, String result) {
        assertThat(JsonPatch.apply(object(original), json(patch))).isEqualTo(json(result));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{op:'test',path:'/data/x',value:'2'}]",
                "[{op:'test',path:'/data/nope',value:'2'}]",
                "[{op:'test',path:'/data/x'}]",
                "[{op:'remove',path:'/data/nope'}]",
                "[{op:'add',path:'/spec/nope',value:'1'}]",
                "[{op:'add',path:'/data/x/1',value:'1'}]",
                "[{op:'bogus',path:'/data/x'}]",
                "[{path:'/data/x'}]",
                "[{op:'move',from:'/data/no',path:'/data/z'}]",
                "[{op:'add',path:'/list/5',value:'a'}]",
                "[{op:'add',path:'/list/one',value:'a'}]",
                "[{op:'replace',path:'/list/2',value:'a'}]",
                "[{op:'remove',path:'/list/-3'}]",
                "[{op:'add',path:'data',value:'a'}]",
                "[{op:'add',value:'a'}]",
                "[{op:'remove',path:''}]",
                "[{op:'replace',path:'',value:1}]"
            })
    void anOperationThatDoesNotApplyIsInvalidWithoutDetails(String patch) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> JsonPatch.apply(object("{data: {x: '1'}, list: [1,2]}"), json(patch)))
                .satisfies(e -> assertThat(e.toStatus()).isEqualTo(json("""
                {kind:'Status',apiVersion:'v1',metadata:{},status:'Failure',
                 message:'the server rejected our request due to an error in our request',
                 reason:'Invalid',details:{},code:422}""")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {op:'add'}  | json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp
            [1]         | json: cannot unmarshal number into Go value of type handlers.jsonPatchOp
            [{op:1}]    | json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string
            """)
    void whatIsNotAListOfOperationsIsABadRequest(String patch, String message) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> JsonPatch.apply(object("{}"), json(patch)))
                .withMessage("error decoding patch: " + message)
                .matches(e -> e.code() == 400 && e.reason().equals("BadRequest"));
    }

    @Test
    void tenThousandOperationsAreTheLimit() {
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 10_000; i++) operations.add(json("{op:'test',path:'/a',value:1}"));
        assertThat(JsonPatch.apply(object("{a: 1}"), operations)).isEqualTo(json("{a: 1}"));

        operations.add(json("{op:'test',path:'/a',value:1}"));

        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> JsonPatch.apply(object("{a: 1}"), operations))
                .withMessage(
                        "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001")
                .matches(e -> e.code() == 413 && e.reason().equals("RequestEntityTooLarge"));
    }

    @Test
    void neitherTheOriginalNorThePatchChanges() {
        var original = object("{a: {b: 1}}");
        var patch = json("[{op:'add',path:'/c',value:{}},{op:'add',path:'/c/d',value:1},{op:'remove',path:'/a/b'}]");

        JsonPatch.apply(original, patch);

        assertThat(original).isEqualTo(json("{a: {b: 1}}"));
        assertThat(patch.path(0).path("value")).isEqualTo(json("{}"));
    }
}
