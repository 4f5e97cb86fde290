package dev.berth.extender.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FilterReaderTest {
    private final FilterReader reader = new FilterReader("model", "pool");

    @Test
    void aListOfNamesThatComesAgainNamesTheSameNodes() {
        var first = read("[\"a\",\"b\"]").candidates();
        assertThat(read("[\"a\",\"b\"]").candidates()).isSameAs(first);
        assertThat(first).extracting(Candidate::name).containsExactly("a", "b");
    }

    @Test
    void anotherListNamesOthers() {
        read("[\"a\",\"b\"]");
        assertThat(names("[\"a\",\"c\"]")).containsExactly("a", "c");
        assertThat(names("[\"a\"]")).containsExactly("a");
        assertThat(names("[]")).isEmpty();
        assertThat(names("[\"a\",\"b\"]")).containsExactly("a", "b");
    }

    @Test
    void ofTwoListsInOneRequestTheLastCounts() {
        assertThat(names("[\"a\"],\"nodenames\":[\"b\"]")).containsExactly("b");
        assertThat(names("[\"a\"],\"nodenames\":null")).isEmpty();
    }

    @Test
    void aListThatIsWrongIsToldSoEachTime() {
        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> read("[\"a\",7]"))
                    .isInstanceOf(MalformedRequestException.class)
                    .hasMessageContaining("NodeNames holds something that is not a name");
            assertThatThrownBy(() -> read("[\"a\",\"../b\"]"))
                    .isInstanceOf(MalformedRequestException.class)
                    .hasMessageContaining("a node's name cannot be '../b'");
            assertThatThrownBy(() -> read("[\"a\",]"))
                    .isInstanceOf(MalformedRequestException.class)
                    .hasMessageContaining("not valid JSON");
        }
    }

    private List<String> names(String list) {
        return read(list).candidates().stream().map(Candidate::name).toList();
    }

    private FilterRequest read(String names) {
        var body = "{\"Pod\":{\"metadata\":{\"name\":\"p\"}},\"Nodes\":null,\"NodeNames\":%s}".formatted(names);
        return reader.read(body.getBytes(StandardCharsets.UTF_8));
    }
}
