package dev.berth.kube.proto;

import static dev.berth.kube.proto.MessageWriter.frame;
import static dev.berth.kube.proto.MessageWriter.framed;
import static dev.berth.kube.proto.MessageWriter.join;
import static dev.berth.kube.proto.MessageWriter.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100_000})
    void eventsAreFoundHoweverTheyCome(int atOnce) throws IOException {
        var large = "x".repeat(50_000);
        var bytes = join(
                frame("ADDED", "Pod", message()),
                framed(new byte[0]),
                frame(large, "Pod", message()),
                frame("DELETED", "Pod", message()));

        assertThat(types(bytes, atOnce)).containsExactly("ADDED", "", large, "DELETED");
    }

    @Test
    void whatIsNotWholeIsLost() throws IOException {
        var first = frame("ADDED", "Pod", message());
        var both = join(first, frame("MODIFIED", "Pod", message()));

        for (int length = first.length; length < both.length; length++) {
            assertThat(types(Arrays.copyOf(both, length), 5)).containsExactly("ADDED");
        }
    }

    @Test
    void aFrameThatIsTooLongIsRefusedBeforeItComes() {
        var huge = new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1, 2};

        assertThatThrownBy(() -> types(huge, 10))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("a piece of 4294967295 bytes, more than 67108864");
        // As much as is allowed is not there for the asking, either: this ends without so much room having been made.
        assertThat(new byte[] {4, 0, 0, 0, 1, 2})
                .satisfies(most -> assertThat(types(most, 10)).isEmpty());
    }

    @Test
    void anEventWithoutAnObjectIsMalformed() {
        var bytes = framed(message().text(1, "ADDED").with(2, raw -> raw).bytes());

        assertThatThrownBy(() -> types(bytes, 10)).isInstanceOf(MalformedMessageException.class);
    }

    private static List<String> types(byte[] bytes, int atOnce) throws IOException {
        var frames = new Frames(stream(bytes, atOnce));
        var types = new ArrayList<String>();
        while (frames.next()) {
            types.add(frames.message().type());
        }
        return types;
    }

    /** Gives so many bytes at a time. */
    private static InputStream stream(byte[] bytes, int atOnce) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] buffer, int offset, int length) {
                return super.read(buffer, offset, Math.min(length, atOnce));
            }
        };
    }
}
