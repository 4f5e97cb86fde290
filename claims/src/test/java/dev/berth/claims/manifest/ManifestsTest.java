package dev.berth.claims.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestsTest {
    @Test
    void documentsListsAndSequencesAreAllObjects() {
        var manifests = Manifests.read("all.yaml", """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                ---
                ---
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
                - {apiVersion: v1, kind: ConfigMapList, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}]}
                ---
                - {apiVersion: v1, kind: ConfigMap, metadata: {name: d}}
                """);
        assertThat(manifests)
                .extracting(manifest -> manifest.body().at("/metadata/name").asText())
                .containsExactly("a", "b", "c", "d");
    }

    @Test
    void jsonIsReadToo() {
        assertThat(Manifests.read("a.json", "{\"apiVersion\": \"v1\",\n\t\"kind\": \"Pod\", \"x\": \"a\\/b\\u00e9\"}")
                        .getFirst()
                        .body()
                        .path("x")
                        .asText())
                .isEqualTo("a/bé");
    }

    @Test
    void anchorsAndMergesStandForWhatTheyName() {
        var body = Manifests.read("a.yaml", """
                        apiVersion: v1
                        kind: X
                        base: &base {a: 1, b: 2}
                        other: {<<: *base, b: 3}
                        same: *base
                        """).getFirst().body();
        assertThat(body.path("other").toString()).isEqualTo("{\"b\":3,\"a\":1}");
        assertThat(body.path("same")).isEqualTo(body.path("base"));
    }

    @Test
    void anErrorNamesFileDocumentLineAndField() {
        var manifest = Manifests.read("pools.yaml", "a: 1\n---\napiVersion: v1\nkind: X\nspec:\n  list:\n  - n: [1]\n")
                .get(1);
        var field = manifest.fields()
                .require("spec")
                .fields()
                .require("list")
                .items()
                .getFirst()
                .fields()
                .require("n");
        assertThatThrownBy(field::text)
                .isInstanceOf(ManifestException.class)
                .hasMessage("pools.yaml: document 2, line 7: spec.list[0].n: must be a text, not a list");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: [1",
                "a: 1\na: 2",
                "just text",
                "5",
                "? [a]\n: b",
                "a: *nobody",
                "a: {<<: 5}",
                "a:\n\t- b",
                "\u0000",
                "%YAML 9.9\n---\na: b\n---\n&&&",
                "a: !!int notanumber\nb: \"\\q\""
            })
    void whatIsNotAnObjectIsRefusedByName(String text) {
        assertThatThrownBy(() -> Manifests.read("bad.yaml", text).forEach(Manifest::kind))
                .isInstanceOf(ManifestException.class)
                .hasMessageStartingWith("bad.yaml: document 1");
    }

    @Test
    void depthAndGrowthHaveBounds() {
        assertThatThrownBy(() -> Manifests.read("deep", "a: " + "[".repeat(100_000)))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("nested more than");
        var laughs = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 10; i++) {
            laughs.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + " ,").repeat(10)));
        }
        assertThatThrownBy(() -> Manifests.read("wide", laughs.toString()))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("more than 5000000 values");
    }
}
