package dev.berth.apiserver.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protobuf's wire format, the counterpart of {@link Wire}. */
final class WireWriter {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    WireWriter text(int field, String value) {
        return delimited(field, value.getBytes(StandardCharsets.UTF_8));
    }

    WireWriter message(int field, WireWriter value) {
        return delimited(field, value.toBytes());
    }

    WireWriter number(int field, long value) {
        tag(field, Wire.VARINT);
        varint(value);
        return this;
    }

    WireWriter real(int field, double value) {
        tag(field, Wire.FIXED64);
        long bits = Double.doubleToRawLongBits(value);
        for (int shift = 0; shift < 64; shift += 8) bytes.write((int) (bits >>> shift));
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    private WireWriter delimited(int field, byte[] value) {
        tag(field, Wire.BYTES);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void tag(int field, int type) {
        varint((long) field << 3 | type);
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }
}
