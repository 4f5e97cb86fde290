package dev.berth.apiserver.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Every object of the server, in memory, under one revision counter. A write is prepared outside (serialised, checked)
 * and committed here under a lock that is held for a few hundred nanoseconds. Where a journal is kept, a change is
 * shown to nobody before it is on disk.
 */
public final class Store implements AutoCloseable {
    private static final int MOST_CHANGES = 1 << 17;
    private static final long MOST_BYTES = 64L << 20;
    private static final long LONGEST_LOG = 128L << 20;

    private final ReentrantLock commit = new ReentrantLock();
    private final Map<String, Table> tables = new ConcurrentHashMap<>();
    private final int mostChanges;
    private final long mostBytes;
    private final @Nullable Journal journal;
    private volatile long revision;
    /** The newest revision that a change was given; more than {@link #revision} when the last ones were undone. */
    private long issued;

    private volatile long durable;
    /** A revision up to here may be one that was undone; whoever waits for it has to ask the journal. */
    private volatile long undone;

    private Store(int mostChanges, long mostBytes, @Nullable Journal journal) {
        this.mostChanges = mostChanges;
        this.mostBytes = mostBytes;
        this.journal = journal;
        this.revision = 1;
        this.issued = 1;
        this.durable = 1;
    }

    /** A store that forgets everything when the process ends. */
    public static Store inMemory() {
        return new Store(MOST_CHANGES, MOST_BYTES, null);
    }

    /** A store with a short memory, for tests of what happens when history is gone. */
    public static Store inMemory(int mostChanges, long mostBytes) {
        return new Store(mostChanges, mostBytes, null);
    }

    /** A store that is kept in a folder; what was acknowledged is there again after any crash. */
    public static Store in(Path directory) throws IOException {
        return recovered(FileJournal.open(directory, LONGEST_LOG));
    }

    static Store recovered(Journal journal) throws IOException {
        var store = new Store(MOST_CHANGES, MOST_BYTES, journal);
        long last = journal.recover((table, key, value) -> {
            Table target = store.table(table);
            target.replace(
                    value == null ? target.tree().remove(key) : target.tree().put(key, value));
        });
        store.revision = Math.max(1, last);
        store.issued = store.revision;
        store.durable = store.revision;
        for (Table each : store.tables.values()) each.history().restart(store.revision);
        journal.start(store.revision, store.new Owner());
        return store;
    }

    public Table table(String name) {
        Table known = tables.get(name);
        return known != null ? known : tables.computeIfAbsent(name, this::newTable);
    }

    private Table newTable(String name) {
        commit.lock();
        try {
            return new Table(name, new History(revision, mostChanges, mostBytes));
        } finally {
            commit.unlock();
        }
    }

    /** The newest revision that may be shown. */
    public long revision() {
        return durable;
    }

    /** What is stored under the key; waits until it is safe on disk that it is there, or is not. */
    public Optional<Stored> get(Table table, String key) {
        while (true) {
            Stored stored = table.tree().get(key);
            if (stored == null) return Optional.ofNullable(snapshot(table).get(key));
            if (isKept(stored.revision())) return Optional.of(stored);
        }
    }

    /** False when it was undone: whoever saw it has to look again. */
    private boolean isKept(long wanted) {
        try {
            awaitDurable(wanted);
            return true;
        } catch (NotKeptException _) {
            return false;
        }
    }

    /** Empty when something is stored under the key already. */
    public Optional<Stored> create(Table table, String key, Draft draft) {
        return change(table, key, 0, draft).map(Change::shown);
    }

    /** Empty when what is stored under the key is not of the expected revision. */
    public Optional<Stored> replace(Table table, String key, long expected, Draft draft) {
        return change(table, key, expected, draft).map(Change::shown);
    }

    /** The last state under the revision of the deletion; empty when the key is not at the expected revision. */
    public Optional<Stored> remove(Table table, String key, long expected) {
        return change(table, key, expected, null).map(Change::shown);
    }

    private Optional<Change> change(Table table, String key, long expected, @Nullable Draft draft) {
        Change change;
        commit.lock();
        try {
            Stored before = table.tree().get(key);
            if ((before == null ? 0 : before.revision()) != expected) return Optional.empty();
            long next = issued + 1;
            Stored after = draft == null ? null : draft.at(next);
            Stored shown = after;
            if (shown == null) {
                if (before == null) return Optional.empty();
                shown = before.at(next);
            }
            change = new Change(table.history().head(), next, key, before, after, shown);
            table.replace(
                    after == null ? table.tree().remove(key) : table.tree().put(key, after));
            table.history().append(change);
            issued = next;
            revision = next;
            if (journal == null) durable = next;
            else journal.append(next, table.name(), key, after);
        } finally {
            commit.unlock();
        }
        if (journal == null) table.ring();
        else awaitDurable(change.revision());
        return Optional.of(change);
    }

    /** The table now. */
    public Snapshot snapshot(Table table) {
        while (true) {
            Snapshot snapshot;
            commit.lock();
            try {
                snapshot = new Snapshot(revision, table.tree());
            } finally {
                commit.unlock();
            }
            if (isKept(snapshot.revision())) return snapshot;
        }
    }

    /** The table as it was: what happened since is undone. */
    public Snapshot snapshotAt(Table table, long wanted) throws ExpiredException {
        SortedTree tree;
        long end;
        commit.lock();
        try {
            tree = table.tree();
            end = table.history().head();
        } finally {
            commit.unlock();
        }
        long first = table.history().after(wanted);
        for (long each = end - 1; each >= first; each--) {
            Change change = table.history().at(each);
            if (change == null) throw new ExpiredException(table.history().compacted());
            tree = change.before() == null ? tree.remove(change.key()) : tree.put(change.key(), change.before());
        }
        return new Snapshot(wanted, tree);
    }

    /** Follows the table from after the revision on. */
    public Cursor follow(Table table, long after) throws ExpiredException {
        return new Cursor(this, table, table.history().after(after));
    }

    /** A revision at which a reader that has seen every change up to {@code sequence} is up to date; 0 if it is not. */
    long upToDate(Table table, long sequence) {
        commit.lock();
        try {
            if (table.history().head() != sequence) return 0;
            return Math.min(revision, durable);
        } finally {
            commit.unlock();
        }
    }

    long durable() {
        return durable;
    }

    /**
     * Waits until the revision is on disk.
     *
     * @throws NotKeptException when it was undone
     */
    public void awaitDurable(long wanted) {
        if (journal == null || (durable >= wanted && undone < wanted)) return;
        journal.await(wanted);
    }

    /** Why nothing can be written at the moment; empty when all is well. */
    public Optional<String> trouble() {
        return journal == null ? Optional.empty() : journal.trouble();
    }

    /** Lets everyone who waits for a change look around. */
    public void wake() {
        for (Table each : tables.values()) each.ring();
    }

    /** What the journal, on its own thread, does to this store. */
    private final class Owner implements Journal.Owner {
        @Override
        public void reached(long safe) {
            durable = safe;
            wake();
        }

        @Override
        public Journal.Frozen freeze() {
            commit.lock();
            try {
                Map<String, SortedTree> trees = new TreeMap<>();
                tables.forEach((name, table) -> trees.put(name, table.tree()));
                return new Journal.Frozen(revision, trees);
            } finally {
                commit.unlock();
            }
        }

        @Override
        public void undo(LongConsumer atomically) {
            commit.lock();
            try {
                for (Table each : tables.values()) each.undo(durable);
                undone = issued;
                revision = durable;
                atomically.accept(issued);
            } finally {
                commit.unlock();
            }
        }
    }

    @Override
    public void close() {
        if (journal != null) journal.close();
    }
}
