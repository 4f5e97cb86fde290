package dev.berth.kube.proto;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** Writes a message, for tests. */
public final class MessageWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public static MessageWriter message() {
        return new MessageWriter();
    }

    /** As Kubernetes sends it. */
    public static byte[] enveloped(String kind, MessageWriter message) {
        var unknown = message()
                .with(1, type -> type.text(1, "v1").text(2, kind))
                .bytes(2, message.bytes())
                .text(3, "")
                .text(4, "");
        var mark = new byte[] {'k', '8', 's', 0};
        return join(mark, unknown.bytes());
    }

    /** An event of a watch, with its length before it. */
    public static byte[] frame(String type, String kind, MessageWriter object) {
        var event = message()
                .text(1, type)
                .with(2, raw -> raw.bytes(1, enveloped(kind, object)))
                .bytes();
        return framed(event);
    }

    public static byte[] framed(byte[] event) {
        return join(ByteBuffer.allocate(4).putInt(event.length).array(), event);
    }

    public static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (var part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public MessageWriter number(int field, long value) {
        return tag(field, 0).varint(value);
    }

    public MessageWriter text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    public MessageWriter with(int field, UnaryOperator<MessageWriter> inner) {
        return bytes(field, inner.apply(message()).bytes());
    }

    public MessageWriter bytes(int field, byte[] bytes) {
        tag(field, 2).varint(bytes.length);
        out.writeBytes(bytes);
        return this;
    }

    MessageWriter fixed64(int field) {
        tag(field, 1);
        out.writeBytes(new byte[8]);
        return this;
    }

    MessageWriter fixed32(int field) {
        tag(field, 5);
        out.writeBytes(new byte[4]);
        return this;
    }

    MessageWriter tag(int field, int wireType) {
        return varint(((long) field << 3) | wireType);
    }

    MessageWriter varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }
}
