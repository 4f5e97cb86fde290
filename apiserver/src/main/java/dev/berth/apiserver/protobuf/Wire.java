package dev.berth.apiserver.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A cursor over protobuf's wire format. Whatever does not parse is a {@link MalformedException}. */
final class Wire {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    /** The bytes are not protobuf. */
    static final class MalformedException extends RuntimeException {
        MalformedException(String message) {
            super(message, null, false, false);
        }
    }

    private final byte[] data;
    private final int end;
    private int at;

    Wire(byte[] data, int from, int end) {
        this.data = data;
        this.at = from;
        this.end = end;
    }

    boolean more() {
        return at < end;
    }

    /** The next field's number and wire type, as protobuf packs them: {@code number << 3 | type}. */
    int tag() {
        long tag = varint();
        if (tag <= 0 || tag > Integer.MAX_VALUE || tag >>> 3 == 0) throw new MalformedException("illegal tag " + tag);
        return (int) tag;
    }

    long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = octet();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) return value;
        }
        throw new MalformedException("a number of more than ten bytes");
    }

    double fixed64() {
        long bits = 0;
        for (int shift = 0; shift < 64; shift += 8) bits |= (octet() & 0xffL) << shift;
        return Double.longBitsToDouble(bits);
    }

    /** A cursor over the next length-delimited value; this one goes on behind it. */
    Wire slice() {
        long length = varint();
        if (length < 0 || length > end - at) throw new MalformedException("unexpected EOF");
        var slice = new Wire(data, at, at + (int) length);
        at += (int) length;
        return slice;
    }

    /** All that is left. */
    byte[] rest() {
        return Arrays.copyOfRange(data, at, end);
    }

    String text() {
        return new String(data, at, end - at, StandardCharsets.UTF_8);
    }

    void skip(int wireType) {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED64 -> fixed64();
            case BYTES -> slice();
            case FIXED32 -> {
                for (int i = 0; i < 4; i++) octet();
            }
            default -> throw new MalformedException("illegal wireType " + wireType);
        }
    }

    private byte octet() {
        if (at >= end) throw new MalformedException("unexpected EOF");
        return data[at++];
    }
}
