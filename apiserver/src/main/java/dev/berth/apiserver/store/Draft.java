package dev.berth.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object serialised but for its resourceVersion, which only the commit knows. */
public final class Draft {
    private static final String EMPTY = ",\"resourceVersion\":\"\"";

    private final byte[] json;
    private final int hole;
    private final Facts facts;
    private final @Nullable WeakReference<ObjectNode> tree;

    /** @param hole where the digits of the resourceVersion go: between the quotes of an empty string */
    public Draft(byte[] json, int hole, Facts facts) {
        this(json, hole, facts, null);
    }

    private Draft(byte[] json, int hole, Facts facts, @Nullable WeakReference<ObjectNode> tree) {
        this.json = json;
        this.hole = hole;
        this.facts = facts;
        this.tree = tree;
    }

    /** @param tree what the bytes were written from; nobody may change it any more */
    public Draft from(ObjectNode tree) {
        return new Draft(json, hole, facts, new WeakReference<>(tree));
    }

    Stored at(long revision) {
        byte[] digits = Long.toString(revision).getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = new byte[json.length + digits.length];
        System.arraycopy(json, 0, whole, 0, hole);
        System.arraycopy(digits, 0, whole, hole, digits.length);
        System.arraycopy(json, hole, whole, hole + digits.length, json.length - hole);
        return new Stored(whole, hole, revision, facts, tree);
    }

    /** The bytes as they would be stored at the given revision; for dry runs. */
    public Stored preview(long revision) {
        return at(revision);
    }

    /** The bytes of an object that has no revision, because it is only tried. */
    public Stored preview() {
        int length = EMPTY.length();
        int start = hole - length + 1;
        byte[] bare = new byte[json.length - length];
        System.arraycopy(json, 0, bare, 0, start);
        System.arraycopy(json, start + length, bare, start, bare.length - start);
        return new Stored(bare, start, 0, facts, null);
    }

    @Override
    public String toString() {
        return new String(Arrays.copyOf(json, Math.min(json.length, 200)), StandardCharsets.UTF_8);
    }
}
