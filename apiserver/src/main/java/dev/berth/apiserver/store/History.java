package dev.berth.apiserver.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of one table, bounded in number and in the bytes that only the history still holds. One writer at a
 * time (the commit), any number of readers without a lock.
 */
final class History {
    private static final int FIRST_CAPACITY = 64;

    private final int mostChanges;
    private final long mostBytes;
    private volatile AtomicReferenceArray<@Nullable Change> ring = new AtomicReferenceArray<>(FIRST_CAPACITY);
    private volatile long head;
    private volatile long tail;
    private volatile long compacted;
    private long dropped;
    private long bytes;

    /** @param start the revision from which this history is whole */
    History(long start, int mostChanges, long mostBytes) {
        this.compacted = start;
        this.mostChanges = mostChanges;
        this.mostBytes = mostBytes;
    }

    /** The sequence of the next change to come. */
    long head() {
        return head;
    }

    /** Changes after this revision are all here. */
    long compacted() {
        return compacted;
    }

    /** Forgets everything; whole from the given revision on. */
    void restart(long start) {
        compacted = start;
    }

    void append(Change change) {
        long at = head;
        if (at - tail == ring.length()) {
            if (ring.length() < mostChanges) grow();
            else dropOldest();
        }
        bytes += heldOnlyHere(change);
        ring.set(slot(at, ring), change);
        head = at + 1;
        while (bytes > mostBytes && head - tail > 1) dropOldest();
    }

    /**
     * Forgets the changes after the revision as if they had not been, and returns them, the newest first: the next
     * change gets the sequence of the oldest of them.
     */
    List<Change> undo(long revision) {
        if (dropped > revision) throw new IllegalStateException("what is to be undone is remembered no longer");
        List<Change> undone = new ArrayList<>();
        while (head > tail) {
            long last = head - 1;
            Change newest = at(last);
            if (newest == null || newest.revision() <= revision) break;
            undone.add(newest);
            bytes -= heldOnlyHere(newest);
            head = last;
            ring.set(slot(last, ring), null);
        }
        compacted = Math.min(compacted, revision);
        return undone;
    }

    /** The change with this sequence; null when it was dropped. */
    @Nullable
    Change at(long sequence) {
        AtomicReferenceArray<@Nullable Change> array = ring;
        Change change = array.get(slot(sequence, array));
        return change != null && change.sequence() == sequence ? change : null;
    }

    /** The sequence of the first change after the revision. */
    long after(long revision) throws ExpiredException {
        if (revision < compacted) throw new ExpiredException(compacted);
        long low = tail;
        long high = head;
        while (low < high) {
            long middle = (low + high) >>> 1;
            Change change = at(middle);
            if (change == null) throw new ExpiredException(compacted);
            if (change.revision() > revision) high = middle;
            else low = middle + 1;
        }
        return low;
    }

    private void dropOldest() {
        long first = tail;
        Change oldest = at(first);
        if (oldest != null) {
            bytes -= heldOnlyHere(oldest);
            compacted = oldest.revision();
            dropped = compacted;
        }
        ring.set(slot(first, ring), null);
        tail = first + 1;
    }

    private void grow() {
        AtomicReferenceArray<@Nullable Change> old = ring;
        var wider = new AtomicReferenceArray<@Nullable Change>(Math.min(old.length() * 2, mostChanges));
        for (long each = tail; each < head; each++) wider.set(slot(each, wider), old.get(slot(each, old)));
        ring = wider;
    }

    private static int heldOnlyHere(Change change) {
        return (change.before() == null ? 0 : change.before().size())
                + (change.deletion() ? change.shown().size() : 0);
    }

    private static int slot(long sequence, AtomicReferenceArray<?> array) {
        return (int) (sequence % array.length());
    }
}
