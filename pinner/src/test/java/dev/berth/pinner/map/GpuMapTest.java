package dev.berth.pinner.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Table 3.1 of the contract, with the rulings applied: one bad line costs only itself. */
class GpuMapTest {
    private static Map<Long, String> read(String text) {
        return GpuMap.parse(text).entries().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> "(%s,%s)"
                                .formatted(
                                        entry.getValue().node(),
                                        entry.getValue().devices()),
                        (a, b) -> b,
                        TreeMap::new));
    }

    static Stream<Arguments> table() {
        return Stream.of(
                Arguments.of("0=node1:0,1", Map.of(0L, "(node1,0,1)")),
                Arguments.of("  0 = node1 : 0,1  \n\n1=node2:2", Map.of(0L, "(node1,0,1)", 1L, "(node2,2)")),
                Arguments.of("0=node1:0\n0=node2:1", Map.of(0L, "(node2,1)")),
                Arguments.of("0=node1:0\nabc=node1:0\n1=node2:1", Map.of(0L, "(node1,0)", 1L, "(node2,1)")),
                Arguments.of("junk\n0=node1:0", Map.of(0L, "(node1,0)")),
                Arguments.of("# c\n0=n:1", Map.of(0L, "(n,1)")),
                Arguments.of("0=n:1 # c", Map.of(0L, "(n,1 # c)")),
                Arguments.of("0=a:b:c", Map.of(0L, "(a,b:c)")),
                Arguments.of("0==n:1", Map.of(0L, "(=n,1)")),
                Arguments.of("0=:1", Map.of(0L, "(,1)")),
                Arguments.of("0=n:", Map.of(0L, "(n,)")),
                Arguments.of("0=:", Map.of(0L, "(,)")),
                Arguments.of("-1=n:1", Map.of(-1L, "(n,1)")),
                Arguments.of("+1=n:1", Map.of(1L, "(n,1)")),
                Arguments.of("1_0=n:1", Map.of(10L, "(n,1)")),
                Arguments.of("٣=n:1", Map.of(3L, "(n,1)")),
                Arguments.of("00=n:1", Map.of(0L, "(n,1)")),
                Arguments.of("0=n:1;1=m:2", Map.of(0L, "(n,1;1=m:2)")),
                Arguments.of("0=n:1,1=m:2", Map.of(0L, "(n,1,1=m:2)")),
                Arguments.of("0=n: 0 , 1 ", Map.of(0L, "(n,0 , 1)")),
                Arguments.of("0=n:GPU-uuid", Map.of(0L, "(n,GPU-uuid)")),
                Arguments.of("0=n:all", Map.of(0L, "(n,all)")),
                Arguments.of("0=n:1\r\n1=m:2", Map.of(0L, "(n,1)", 1L, "(m,2)")),
                Arguments.of("0=n:1\r1=m:2", Map.of(0L, "(n,1\r1=m:2)")),
                Arguments.of("\u00a00=n:1\u2003", Map.of(0L, "(n,1)")));
    }

    @ParameterizedTest
    @MethodSource("table")
    void aMapIsReadAsTheTableSays(String text, Map<Long, String> entries) {
        assertThat(read(text)).isEqualTo(entries);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0=node1",
                "0:node1=1",
                "abc=node1:0",
                "=n:1",
                "1.0=n:1",
                "0x1=n:1",
                "",
                "   ",
                "1__0=n:1",
                "_1=n:1",
                "1_=n:1",
                "+=n:1",
                "99999999999999999999=n:1"
            })
    void whatIsNoEntryIsNone(String text) {
        assertThat(read(text)).isEmpty();
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("0=node1", "line 1 '0=node1': it has no ':' between node and devices"),
                Arguments.of("0:node1=1", "line 1 '0:node1=1': '0:node1' is not the number of a replica"),
                Arguments.of("0=n:0\nabc=n:1", "line 2 'abc=n:1': 'abc' is not the number of a replica"),
                Arguments.of("=n:1", "line 1 '=n:1': '' is not the number of a replica"),
                Arguments.of("\njunk", "line 2 'junk': it has no '='; a line is ordinal=node:devices"),
                Arguments.of("0=n:1 # c", "line 1 '0=n:1 # c': '1 # c' is neither a GPU's index nor its UUID"),
                Arguments.of("0=a:b:c", "line 1 '0=a:b:c': 'b:c' is neither a GPU's index nor its UUID"),
                Arguments.of("0=:1", "line 1 '0=:1': it names no node"),
                Arguments.of("0=n:1;1=m:2", "line 1 '0=n:1;1=m:2': '1;1=m:2' is neither a GPU's index nor its UUID"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void aMalformedLineIsNamed(String text, String words) {
        assertThat(GpuMap.parse(text).problems()).extracting(LineProblem::words).containsExactly(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0=n:", "0=n:-1", "0=n:none", "0=n:all", "0=n:GPU-1,GPU-2", "0=n:0 , 1", "# a=b:c"})
    void whatIsWellFormedHasNoProblem(String text) {
        assertThat(GpuMap.parse(text).problems()).isEmpty();
    }

    @Test
    void whatIsPerhapsNotMeantIsRemarked() {
        assertThat(GpuMap.parse("0=n:0\n0=n:1\n3=node4:3\n4=node4:2,3").remarks())
                .extracting(LineProblem::words)
                .containsExactly(
                        "line 2 '0=n:1': it replaces line 1 for replica 0",
                        "line 4 '4=node4:2,3': GPU 3 of node4 is also given to replica 3: both share it");
    }

    @Test
    void theReplicasAreToldInRanges() {
        assertThat(GpuMap.parse("0=n:0\n1=n:0\n2=n:0\n7=n:0").ordinals()).isEqualTo("0-2, 7");
    }

    @Test
    void whoSharesWithAllIsRemarkedToo() {
        assertThat(GpuMap.parse("0=n:\n1=n:2\n2=n:all\n3=m:2\n4=n:GPU-a\n5=m:all")
                        .remarks())
                .extracting(LineProblem::what)
                .containsExactly(
                        "GPU all of n is also given to replica 1: both share it",
                        "GPU all of n is also given to replica 2: both share it",
                        "GPU all of m is also given to replica 3: both share it");
    }

    @Test
    @Timeout(10)
    void aMapOfTensOfThousandsOfLinesIsReadInAMoment() {
        var lines = new StringBuilder();
        for (int i = 0; i < 28_000; i++) {
            lines.append(i).append("=n:\n");
        }

        assertThat(GpuMap.parse(lines.toString()).entries()).hasSize(28_000);
    }

    @Test
    void whatIsShownIsShortAndHasNoControlCharacters() {
        assertThat(GpuMap.parse("0=n:1\r1=m:\t2").problems())
                .extracting(LineProblem::words)
                .containsExactly("line 1 '0=n:1␍1=m:␉2': '1␍1=m:␉2' is neither a GPU's index nor its UUID");
        assertThat(GpuMap.parse("0=n:" + "😀".repeat(9_000))
                        .problems()
                        .getFirst()
                        .words())
                .endsWith("😀…' is neither a GPU's index nor its UUID")
                .hasSizeLessThan(400);
    }

    @Test
    void ofManyScatteredReplicasTheFirstAreTold() {
        var lines = new StringBuilder();
        for (int i = 0; i < 2_000; i += 2) {
            lines.append(i).append("=n:0\n");
        }

        assertThat(GpuMap.parse(lines.toString()).ordinals())
                .startsWith("0, 2, 4")
                .endsWith("38, …");
    }
}
