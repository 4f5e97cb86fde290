package dev.berth.kube.proto;

import static dev.berth.kube.proto.MessageWriter.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
    @ParameterizedTest
    @ValueSource(
            longs = {0, 1, 127, 128, 300, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, Long.MAX_VALUE, Long.MIN_VALUE})
    void numbersHaveSixtyFourBits(long number) throws MalformedMessageException {
        var in = fields(message().number(1, number));

        assertThat(in.next()).isEqualTo(1);
        assertThat(in.number()).isEqualTo(number);
        assertThat(in.next()).isZero();
    }

    @Test
    void everyTypeIsReadAndWhatIsNotKnownIsPassedOver() throws MalformedMessageException {
        var read = all(message()
                .fixed64(90)
                .text(1, "grüß €")
                .fixed32(91)
                .number(92, -1)
                .number(2, -7)
                .text(93, "unknown")
                .number(3, 1)
                .with(4, inner -> inner.text(1, "key").text(9, "what").text(2, "value"))
                .with(5, inner -> inner.number(9, 4).text(1, "wrapped")));

        assertThat(read).containsExactly("grüß €", -7, true, Map.of("key", "value"), "wrapped");
    }

    @Test
    void aZeroIsNothingWhereJsonLeavesItOut() throws MalformedMessageException {
        var in = fields(message().text(1, "").number(2, 0).number(3, 0).number(4, 0));

        in.next();
        assertThat(in.someText()).isNull();
        in.next();
        assertThat(in.someInteger()).isNull();
        in.next();
        assertThat(in.someNumber()).isNull();
        in.next();
        assertThat(in.someFlag()).isNull();
    }

    @Test
    void aMessageThatIsCutIsMalformedWhereverItIsCut() throws MalformedMessageException {
        var whole = message()
                .with(
                        6,
                        pod -> pod.text(1, "name")
                                .number(2, 300)
                                .with(4, entry -> entry.text(1, "a").text(2, "b")))
                .bytes();

        for (int length = 1; length < whole.length; length++) {
            var cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> all(new Fields(new Texts(), cut, 0, cut.length)))
                    .as("%d bytes", length)
                    .isInstanceOf(MalformedMessageException.class)
                    .message()
                    .isNotBlank();
        }
        assertThat(all(new Fields(new Texts(), whole, 0, whole.length))).hasSize(3);
    }

    @Test
    void nothingBeyondTheMessageIsRead() {
        var bytes = message().text(1, "four").bytes();

        assertThatThrownBy(() -> all(new Fields(new Texts(), bytes, 0, bytes.length - 1)))
                .hasMessageContaining("4 bytes where 3 are left");
    }

    @Test
    void anInnerMessageDoesNotReachIntoWhatFollowsIt() {
        // The entry says that its key has nine bytes; it has one, and the message goes on for longer than that.
        var inner = message().tag(1, 2).varint(9).bytes();

        assertThatThrownBy(() -> all(message().bytes(4, inner).text(1, "what comes after it")))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("9 bytes where 0 are left");
    }

    @ParameterizedTest
    @ValueSource(longs = {Integer.MAX_VALUE, 1L << 31, 1L << 32, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void aHugeLengthIsNotBelieved(long length) {
        for (int field : new int[] {1, 4, 5, 6, 93}) {
            assertThatThrownBy(() -> all(message().tag(field, 2).varint(length)))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining(Long.toUnsignedString(length) + " bytes where 0 are left");
        }
    }

    @Test
    void aNumberHasTenBytesAtMost() {
        var endless = new byte[40];
        Arrays.fill(endless, (byte) 0xff);

        assertThatThrownBy(() -> new Fields(new Texts(), endless, 0, endless.length).next())
                .hasMessageContaining("more than ten bytes");
    }

    @Test
    void aFieldOfAnotherTypeIsMalformed() {
        assertThatThrownBy(() -> all(message().number(1, 5))).hasMessageContaining("wire type 0 where 2 was expected");
        assertThatThrownBy(() -> all(message().text(2, "5"))).hasMessageContaining("wire type 2 where 0 was expected");
        assertThatThrownBy(() -> all(message().tag(94, 3))).hasMessageContaining("wire type 3");
        assertThatThrownBy(() -> all(message().tag(0, 2))).hasMessageContaining("number 0");
    }

    @Test
    void messagesWithinMessagesHaveAnEnd() throws MalformedMessageException {
        assertThat(all(nested(30))).containsExactly("innermost");
        assertThatThrownBy(() -> all(nested(40))).hasMessageContaining("deep");
    }

    @Test
    void whatComesAgainIsMadeOnce() throws MalformedMessageException {
        var texts = new Texts();

        assertThat(text(texts, "Running")).isSameAs(text(texts, "Running")).isEqualTo("Running");
        assertThat(text(texts, "grün")).isEqualTo(text(texts, "grün")).isEqualTo("grün");
        assertThat(text(texts, "a".repeat(1000))).isEqualTo("a".repeat(1000));
    }

    private static MessageWriter nested(int depth) {
        var message = message().text(1, "innermost");
        for (int i = 0; i < depth; i++) {
            message = message().bytes(6, message.bytes());
        }
        return message;
    }

    private static String text(Texts texts, String text) throws MalformedMessageException {
        var bytes = message().text(1, text).bytes();
        var in = new Fields(texts, bytes, 0, bytes.length);
        in.next();
        return in.text();
    }

    private static Fields fields(MessageWriter message) {
        var bytes = message.bytes();
        return new Fields(new Texts(), bytes, 0, bytes.length);
    }

    private static List<Object> all(MessageWriter message) throws MalformedMessageException {
        return all(fields(message));
    }

    private static List<Object> all(Fields in) throws MalformedMessageException {
        return in.all(new ArrayList<>(), FieldsTest::example);
    }

    private static void example(List<Object> read, int number, Fields in) throws MalformedMessageException {
        switch (number) {
            case 1 -> read.add(in.text());
            case 2 -> read.add(in.integer());
            case 3 -> read.add(in.flag());
            case 4 -> {
                var map = new HashMap<String, String>();
                in.entry(map);
                read.add(map);
            }
            case 5 -> read.add(in.wrapped());
            case 6 -> in.message(read, FieldsTest::example);
            default -> in.skip();
        }
    }
}
