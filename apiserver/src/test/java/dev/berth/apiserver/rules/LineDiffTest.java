package dev.berth.apiserver.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineDiffTest {
    @Test
    void changesFarApartAreTwoGroups() {
        String before = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj";
        String after = "A\nb\nc\nd\ne\nf\ng\nh\ni\nJ";

        assertThat(LineDiff.between(before, after)).isEqualTo("""
                @@ -1,4 +1,4 @@
                -a
                +A
                 b
                 c
                 d
                @@ -7,4 +7,4 @@
                 g
                 h
                 i
                -j
                +J
                """);
    }

    @Test
    void anAddedLineIsShownBetweenItsNeighbours() {
        assertThat(LineDiff.between("a\nb", "a\nx\nb")).isEqualTo("@@ -1,2 +1,3 @@\n a\n+x\n b\n");
    }
}
