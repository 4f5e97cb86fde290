package dev.berth.apiserver.store;

import org.jspecify.annotations.Nullable;

/**
 * One step of a table's history.
 *
 * @param before what was there; null for a creation
 * @param after what is there now; null for a deletion
 * @param shown what a watcher is shown: {@code after}, or for a deletion the last state under the deletion's revision
 */
public record Change(
        long sequence,
        long revision,
        String key,
        @Nullable Stored before,
        @Nullable Stored after,
        Stored shown) {

    public boolean deletion() {
        return after == null;
    }

    /** What a watcher is shown for whom the object is gone: its last state that he knew, under this revision. */
    public Stored departed() {
        if (after == null || before == null) return shown;
        return before.at(revision);
    }
}
