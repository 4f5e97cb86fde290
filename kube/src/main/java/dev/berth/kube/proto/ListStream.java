package dev.berth.kube.proto;

import io.fabric8.kubernetes.api.model.ListMeta;
import java.io.IOException;
import java.io.InputStream;

/** A list in its envelope, of which never more than one object is held: a page of pods is megabytes. */
final class ListStream {
    /** Number and wire type of the envelope's field: another type would look like a list without objects. */
    private static final long LIST = (Envelope.RAW << 3) | 2;

    private static final int METADATA = 1;
    private static final int ITEMS = 2;

    private final Texts texts;
    private final Pieces pieces;
    private long read;

    /** Takes an object of the list. */
    @FunctionalInterface
    interface Items {
        void item(Fields in) throws MalformedMessageException;
    }

    ListStream(Texts texts, InputStream in) {
        this.texts = texts;
        this.pieces = new Pieces(in);
    }

    /** Reads it to its end, so that the connection can be used again. */
    ListMeta read(Items items) throws IOException {
        Envelope.begin(piece(Envelope.markLength()));
        var metadata = new ListMeta();
        boolean empty = true;
        while (pieces.next(1)) {
            long tag = varint();
            long size = size(tag);
            if (tag == LIST) {
                list(size, metadata, items);
                empty = false;
            } else {
                var _ = piece(size);
            }
        }
        if (empty) {
            throw Envelope.nothing();
        }
        return metadata;
    }

    private void list(long length, ListMeta metadata, Items items) throws IOException {
        if (length < 0) {
            throw new MalformedMessageException("a list of %s bytes".formatted(Long.toUnsignedString(length)));
        }
        long begin = read;
        while (read - begin < length) {
            more(1);
            long tag = varint();
            var value = piece(size(tag));
            if (read - begin > length) {
                throw new MalformedMessageException("an object is longer than its list");
            }
            switch ((int) (tag >>> 3)) {
                case METADATA -> value.all(metadata, MetaMessages::list);
                case ITEMS -> items.item(value);
                default -> {}
            }
        }
    }

    /** How long the value is that follows; a number is passed over and has no length any more. */
    private long size(long tag) throws IOException {
        return switch ((int) tag & 7) {
            case 0 -> {
                more(1);
                var _ = varint();
                yield 0;
            }
            case 1 -> 8;
            case 2 -> {
                more(1);
                yield varint();
            }
            case 5 -> 4;
            default -> throw new MalformedMessageException("no field has the wire type " + (tag & 7));
        };
    }

    /** The piece of one byte has been read, and is the first one. */
    private long varint() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (shift > 0) {
                more(1);
            }
            read++;
            byte next = pieces.buffer()[pieces.start()];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedMessageException("a number of more than ten bytes");
    }

    private Fields piece(long length) throws IOException {
        more(length);
        read += length;
        return new Fields(texts, pieces.buffer(), pieces.start(), pieces.length());
    }

    private void more(long length) throws IOException {
        if (!pieces.next(length)) {
            throw new MalformedMessageException("the list does not end as one");
        }
    }
}
