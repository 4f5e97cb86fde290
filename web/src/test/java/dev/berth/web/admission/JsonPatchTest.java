package dev.berth.web.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {
    private static final JsonPointer ANNOTATIONS = JsonPointer.of("metadata", "annotations");

    @Test
    void pointersAreEscaped() {
        assertThat(JsonPointer.of("a/b", "m~n", "x~1y")).hasToString("/a~1b/m~0n/x~01y");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'metadata':{}}", "{'metadata':{'annotations':null}}"})
    void anAnnotationOfAPodWithoutAnyMakesTheMapFirst(String pod) {
        var patch = JsonPatch.of(json(pod)).add(ANNOTATIONS.with("fudo.org/gpu.uuid"), "GPU-1");

        assertThat(patch.operations()).isEqualTo(tree("""
                [{'op':'add','path':'/metadata/annotations','value':{}},
                 {'op':'add','path':'/metadata/annotations/fudo.org~1gpu.uuid','value':'GPU-1'}]"""));
    }

    @Test
    void aDocumentThatNobodyElseLooksAtIsChangedInPlace() {
        var document = json("{'metadata':{}}");

        var patch = JsonPatch.changing(document).add(ANNOTATIONS.with("a"), "1");

        assertThat(document).isEqualTo(patch.result());
    }

    @Test
    void severalMissingParentsAreMadeFromTheTop() {
        var patch = JsonPatch.of(json("{}")).add(ANNOTATIONS.with("a"), "1").add(ANNOTATIONS.with("b"), "2");

        assertThat(patch.operations().findValuesAsText("path"))
                .containsExactly(
                        "/metadata", "/metadata/annotations", "/metadata/annotations/a", "/metadata/annotations/b");
    }

    @Test
    void existingAnnotationsAreKept() {
        var patch =
                JsonPatch.of(json("{'metadata':{'annotations':{'mine':'1'}}}")).add(ANNOTATIONS.with("ours"), "2");

        assertThat(patch.operations()).hasSize(1);
        assertThat(patch.result()).isEqualTo(json("{'metadata':{'annotations':{'mine':'1','ours':'2'}}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'spec':{}}", "{'spec':{'env':null}}"})
    void appendingToAMissingArrayMakesItInOneOperation(String document) {
        var patch = JsonPatch.of(json(document)).append(JsonPointer.of("spec", "env"), TextNode.valueOf("x"));

        assertThat(patch.operations()).isEqualTo(tree("[{'op':'add','path':'/spec/env','value':['x']}]"));
    }

    @Test
    void appendingToAnArrayPutsTheValueAtItsEnd() {
        var env = JsonPointer.of("env");
        var patch = JsonPatch.of(json("{'env':['x']}"))
                .append(env, TextNode.valueOf("y"))
                .append(env, TextNode.valueOf("z"));

        assertThat(patch.operations().findValuesAsText("path")).containsExactly("/env/-", "/env/-");
        assertThat(patch.result()).isEqualTo(json("{'env':['x','y','z']}"));
    }

    @Test
    void operationsKeepTheirOrder() {
        var patch = JsonPatch.of(json("{'a':1,'b':2,'c':[1,2]}"))
                .test(JsonPointer.of("a"), json("{'v':1}").get("v"))
                .replace(JsonPointer.of("b"), "two")
                .remove(JsonPointer.of("c").with(0))
                .removeIfPresent(JsonPointer.of("nothing"))
                .add(JsonPointer.of("d"), "new");

        assertThat(patch.operations().findValuesAsText("op")).containsExactly("test", "replace", "remove", "add");
        assertThat(patch.result()).isEqualTo(json("{'a':1,'b':'two','c':[2],'d':'new'}"));
    }

    @Test
    void aPatchThatWouldNotApplyCannotBeBuilt() {
        var patch = JsonPatch.of(json("{'a':'text','list':[]}"));

        assertThatThrownBy(() -> patch.remove(JsonPointer.of("x"))).hasMessage("there is nothing to remove at /x");
        assertThatThrownBy(() -> patch.replace(JsonPointer.of("x"), "1")).hasMessageContaining("/x");
        assertThatThrownBy(() -> patch.test(JsonPointer.of("a"), TextNode.valueOf("b")))
                .hasMessageContaining("/a");
        assertThatThrownBy(() -> patch.add(JsonPointer.of("a", "b"), "1")).hasMessageContaining("/a/b");
        assertThatThrownBy(() -> patch.append(JsonPointer.of("a"), TextNode.valueOf("1")))
                .hasMessageContaining("/a");
        assertThatThrownBy(() -> patch.add(JsonPointer.of("list").with(1), "1")).hasMessageContaining("/list/1");
        assertThat(patch.isEmpty()).isTrue();
    }

    @Test
    void theDocumentItselfIsNotTouched() {
        var document = json("{'a':{}}");

        JsonPatch.of(document).add(JsonPointer.of("a", "b"), "1");

        assertThat(document).isEqualTo(json("{'a':{}}"));
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) tree(text);
    }

    private static JsonNode tree(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
