package dev.berth.pinner.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Table 3.2 of the contract: one ordinal for both halves. */
class OrdinalTest {
    private static ObjectNode pod(String name) {
        var pod = JsonNodeFactory.instance.objectNode();
        pod.putObject("metadata").put("name", name);
        return pod;
    }

    @ParameterizedTest
    @CsvSource({"my-app-0,0", "app-007,7", "a-b-c-10,10", "web-5d9c7-12345,12345", "app--1,1", "-5,5"})
    void theLastPartOfTheNameIsTheOrdinal(String name, long ordinal) {
        assertThat(Ordinal.of(pod(name))).hasValue(ordinal);
        assertThat(Ordinal.of(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build()))
                .hasValue(ordinal);
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "0", "", "app-", "app-abc", "app-1.5"})
    void otherNamesHaveNone(String name) {
        assertThat(Ordinal.of(pod(name))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"web-3,web-,3", "web-3,zzz-,3", "web-1-2,web-1-,2", "app--1,app-,1"})
    void aGenerateNameChangesNothingWhereTheNameIsGiven(String name, String generateName, long ordinal) {
        var pod = pod(name);
        pod.withObject("/metadata").put("generateName", generateName);

        assertThat(Ordinal.of(pod)).hasValue(ordinal);
    }

    @Test
    void digitsThatTheServerMadeUpAreNoOrdinal() {
        var pod = pod("web-5d9c7-24567");
        pod.withObject("/metadata").put("generateName", "web-5d9c7-");

        assertThat(Ordinal.of(pod)).isEmpty();
    }

    @Test
    void theStatefulSetsLabelComesFirst() {
        var pod = pod("renamed-7");
        pod.withObject("/metadata").putObject("labels").put(Keys.POD_INDEX, "2");

        assertThat(Ordinal.of(pod)).isEqualTo(OptionalLong.of(2));
    }

    @Test
    void aPodThatHasNoNameYetHasNone() {
        var pod = JsonNodeFactory.instance.objectNode();
        pod.putObject("metadata").put("generateName", "web-");

        assertThat(Ordinal.of(pod)).isEmpty();
    }
}
