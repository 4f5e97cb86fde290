package dev.berth.kube.proto;

import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a message, one after the other, and of the messages in it. Every length is looked at before it is
 * believed: whatever the bytes are, nothing beyond them is read and nothing larger than them is made.
 *
 * <p>Go writes fields that have no value, too, and leaves them out of JSON where their type says {@code omitempty}.
 * What is called <em>some</em> here is nothing in that case, which the model has null for.
 */
final class Fields {
    /** A pod has nine levels. */
    private static final int DEEPEST = 32;

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final Texts texts;
    private final byte[] bytes;
    private int at;
    private int limit;
    private int wireType;
    private int depth;

    Fields(Texts texts, byte[] bytes, int start, int length) {
        this.texts = texts;
        this.bytes = bytes;
        this.at = start;
        this.limit = start + length;
    }

    /** Puts all fields that are left into the object. */
    <T> T all(T object, Message<T> message) throws MalformedMessageException {
        for (int number = next(); number > 0; number = next()) {
            message.field(object, number, this);
        }
        return object;
    }

    /** The number of the next field, whose value must then be taken or skipped; 0 at the end of the message. */
    int next() throws MalformedMessageException {
        if (at == limit) {
            return 0;
        }
        long tag = varint();
        wireType = (int) tag & 7;
        long number = tag >>> 3;
        if (number == 0 || number > Integer.MAX_VALUE >> 2) {
            throw new MalformedMessageException("no field has the number " + number);
        }
        return (int) number;
    }

    /** Goes into a message that is this field; what {@link #leave} must be told afterwards. */
    int enter() throws MalformedMessageException {
        if (++depth > DEEPEST) {
            throw new MalformedMessageException("messages within messages, more than %d deep".formatted(DEEPEST));
        }
        int length = length();
        int outer = limit;
        limit = at + length;
        return outer;
    }

    /** Passes over what is left of the message that was entered. */
    void leave(int outer) {
        at = limit;
        limit = outer;
        depth--;
    }

    /** A field that is bytes, to be read as what it turns out to be. */
    Fields part() throws MalformedMessageException {
        int length = length();
        var part = new Fields(texts, bytes, at, length);
        at += length;
        return part;
    }

    /** No field at all. */
    Fields nothing() {
        return new Fields(texts, bytes, at, 0);
    }

    /** Passes over these bytes; false if others are there. */
    boolean begins(byte[] mark) {
        boolean same = limit - at >= mark.length && Arrays.equals(bytes, at, at + mark.length, mark, 0, mark.length);
        at += same ? mark.length : 0;
        return same;
    }

    /** Whether there are no more fields. */
    boolean atEnd() {
        return at == limit;
    }

    <T> T message(T object, Message<T> message) throws MalformedMessageException {
        int outer = enter();
        all(object, message);
        leave(outer);
        return object;
    }

    /** An entry of a map, which is a message of its own. */
    void entry(Map<String, String> map) throws MalformedMessageException {
        int outer = enter();
        var key = "";
        var value = "";
        for (int number = next(); number > 0; number = next()) {
            switch (number) {
                case 1 -> key = text();
                case 2 -> value = text();
                default -> skip();
            }
        }
        leave(outer);
        map.put(key, value);
    }

    /** The first field of a message that has only this one, which is a text. */
    String wrapped() throws MalformedMessageException {
        int outer = enter();
        var text = "";
        for (int number = next(); number > 0; number = next()) {
            switch (number) {
                case 1 -> text = text();
                default -> skip();
            }
        }
        leave(outer);
        return text;
    }

    String text() throws MalformedMessageException {
        int length = length();
        var text = texts.text(bytes, at, length);
        at += length;
        return text;
    }

    @Nullable
    String someText() throws MalformedMessageException {
        var text = text();
        return text.isEmpty() ? null : text;
    }

    long number() throws MalformedMessageException {
        expect(VARINT);
        return varint();
    }

    @Nullable
    Long someNumber() throws MalformedMessageException {
        long number = number();
        return number == 0 ? null : number;
    }

    int integer() throws MalformedMessageException {
        return (int) number();
    }

    @Nullable
    Integer someInteger() throws MalformedMessageException {
        int integer = integer();
        return integer == 0 ? null : integer;
    }

    boolean flag() throws MalformedMessageException {
        return number() != 0;
    }

    @Nullable
    Boolean someFlag() throws MalformedMessageException {
        return flag() ? Boolean.TRUE : null;
    }

    void skip() throws MalformedMessageException {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED_64 -> pass(within(8));
            case DELIMITED -> pass(length());
            case FIXED_32 -> pass(within(4));
            default -> throw new MalformedMessageException("no field has the wire type " + wireType);
        }
    }

    /** Not {@code at +=}: that takes the place from before the length was read. */
    private void pass(int length) {
        at += length;
    }

    private int length() throws MalformedMessageException {
        expect(DELIMITED);
        return within(varint());
    }

    private int within(long length) throws MalformedMessageException {
        if (length < 0 || length > limit - at) {
            throw new MalformedMessageException(
                    "%s bytes where %d are left".formatted(Long.toUnsignedString(length), limit - at));
        }
        return (int) length;
    }

    private void expect(int type) throws MalformedMessageException {
        if (wireType != type) {
            throw new MalformedMessageException(
                    "a field of the wire type %d where %d was expected".formatted(wireType, type));
        }
    }

    private long varint() throws MalformedMessageException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at == limit) {
                throw new MalformedMessageException("the message ends in the middle of a number");
            }
            byte next = bytes[at++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedMessageException("a number of more than ten bytes");
    }
}
