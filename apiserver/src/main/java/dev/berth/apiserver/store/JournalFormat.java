package dev.berth.apiserver.store;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** How changes lie on disk: each record with its length and checksum before it, so that a torn one is recognised. */
final class JournalFormat {
    private static final int LARGEST = 64 << 20;
    private static final byte PUT = 1;
    private static final byte DELETE = 2;
    private static final byte END = 3;

    /** @param table empty for the mark that ends a snapshot, whose key says how many records came before it */
    record Entry(
            long revision,
            String table,
            String key,
            @Nullable Stored value) {
        static Entry end(long revision, int count) {
            return new Entry(revision, "", Integer.toString(count), null);
        }

        boolean isEnd() {
            return table.isEmpty();
        }
    }

    private JournalFormat() {}

    static void write(DataOutputStream out, Entry entry) throws IOException {
        byte[] payload = payload(entry);
        out.writeInt(payload.length);
        out.writeInt(checksum(payload));
        out.write(payload);
    }

    /** The next record; empty at the end of what is whole, be it the end of the file or a torn record. */
    static Optional<Entry> read(InputStream source) throws IOException {
        var in = new DataInputStream(source);
        try {
            int length = in.readInt();
            int checksum = in.readInt();
            if (length <= 0 || length > LARGEST) return Optional.empty();
            byte[] payload = in.readNBytes(length);
            if (payload.length < length || checksum(payload) != checksum) return Optional.empty();
            return Optional.of(entry(new DataInputStream(new ByteArrayInputStream(payload))));
        } catch (EOFException _) {
            return Optional.empty();
        }
    }

    /** How many bytes the record takes on disk. */
    static int size(Entry entry) throws IOException {
        return 8 + payload(entry).length;
    }

    private static int checksum(byte[] payload) {
        var crc = new CRC32C();
        crc.update(payload);
        return (int) crc.getValue();
    }

    private static byte[] payload(Entry entry) throws IOException {
        Stored value = entry.value();
        var bytes = new ByteArrayOutputStream(value == null ? 128 : value.size() + 512);
        var out = new DataOutputStream(bytes);
        out.writeByte(entry.isEnd() ? END : value == null ? DELETE : PUT);
        out.writeLong(entry.revision());
        out.writeUTF(entry.table());
        out.writeUTF(entry.key());
        if (value != null) {
            out.writeUTF(value.facts().uid());
            out.writeInt(value.facts().labels().size());
            for (Map.Entry<String, String> label : value.facts().labels().entrySet()) {
                out.writeUTF(label.getKey());
                out.writeUTF(label.getValue());
            }
            out.writeInt(value.facts().fields().size());
            for (String field : value.facts().fields()) out.writeUTF(field);
            out.writeInt(value.hole());
            out.writeInt(value.json().length);
            out.write(value.json());
        }
        return bytes.toByteArray();
    }

    private static Entry entry(DataInputStream in) throws IOException {
        byte kind = in.readByte();
        long revision = in.readLong();
        String table = in.readUTF();
        String key = in.readUTF();
        if (kind != PUT) return new Entry(revision, table, key, null);
        String uid = in.readUTF();
        Map<String, String> labels = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) labels.put(in.readUTF(), in.readUTF());
        List<String> fields = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) fields.add(in.readUTF());
        int hole = in.readInt();
        byte[] json = in.readNBytes(in.readInt());
        var facts = new Facts(uid, Map.copyOf(labels), List.copyOf(fields));
        return new Entry(revision, table, key, new Stored(json, hole, revision, facts, null));
    }
}
