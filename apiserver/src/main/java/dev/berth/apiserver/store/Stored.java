package dev.berth.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One version of an object: its JSON without {@code kind} and {@code apiVersion}, made once and shared by all who read
 * it. The bytes must not be changed.
 */
public final class Stored {
    private final byte[] json;
    private final int hole;
    private final long revision;
    private final Facts facts;
    private final @Nullable WeakReference<ObjectNode> tree;

    Stored(byte[] json, int hole, long revision, Facts facts, @Nullable WeakReference<ObjectNode> tree) {
        this.json = json;
        this.hole = hole;
        this.revision = revision;
        this.facts = facts;
        this.tree = tree;
    }

    /**
     * The tree that the bytes were written from, while it is still around: who comes at once need not parse them. It
     * has no resourceVersion, or a former one, and is shared: only to be read.
     */
    public @Nullable ObjectNode tree() {
        return tree == null ? null : tree.get();
    }

    public byte[] json() {
        return json;
    }

    public long revision() {
        return revision;
    }

    public Facts facts() {
        return facts;
    }

    int hole() {
        return hole;
    }

    int size() {
        return json.length;
    }

    /** The same object under another resourceVersion, as a deletion is announced. */
    Stored at(long other) {
        int digits = Long.toString(revision).length();
        byte[] bare = new byte[json.length - digits];
        System.arraycopy(json, 0, bare, 0, hole);
        System.arraycopy(json, hole + digits, bare, hole, bare.length - hole);
        return new Draft(bare, hole, facts).at(other);
    }

    @Override
    public String toString() {
        return new String(json, StandardCharsets.UTF_8);
    }
}
