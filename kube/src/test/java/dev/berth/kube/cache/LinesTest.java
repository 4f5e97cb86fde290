package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LinesTest {
    @Test
    void eachLineComesWithItsEnd() throws IOException {
        assertThat(lines(stream("one\ntwo\n", 100))).containsExactly("one\n", "two\n");
    }

    @Test
    void aLineMayComeInPiecesAndSeveralInOne() throws IOException {
        assertThat(lines(stream("one\ntwo\nthree\n", 1))).containsExactly("one\n", "two\n", "three\n");
        assertThat(lines(stream("one\ntwo\nthree\n", 5))).containsExactly("one\n", "two\n", "three\n");
    }

    @Test
    void blankLinesArePassedOver() throws IOException {
        assertThat(lines(stream("\n\none\n\ntwo\n\n", 2))).containsExactly("one\n", "two\n");
    }

    @Test
    void whatEndsInTheMiddleIsNoLine() throws IOException {
        assertThat(lines(stream("one\ntw", 100))).containsExactly("one\n");
        assertThat(lines(stream("", 100))).isEmpty();
    }

    @Test
    void aLineMayBeLongerThanTheRoomThatThereWas() throws IOException {
        var longer = "x".repeat(50_000);

        assertThat(lines(stream("one\n" + longer + "\ntwo\n" + longer + "\n", 3_000)))
                .containsExactly("one\n", longer + "\n", "two\n", longer + "\n");
    }

    private static List<String> lines(InputStream in) throws IOException {
        var lines = new Lines(in);
        var all = new ArrayList<String>();
        while (lines.next()) {
            all.add(new String(lines.buffer(), lines.start(), lines.length(), StandardCharsets.UTF_8));
        }
        return all;
    }

    /** Gives so many bytes at a time. */
    private static InputStream stream(String text, int atOnce) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] buffer, int offset, int length) {
                return super.read(buffer, offset, Math.min(length, atOnce));
            }
        };
    }
}
