package dev.berth.apiserver.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write-ahead log with group commit: one thread writes whatever has gathered, forces it to disk once, and wakes all
 * who wait. When the log has grown long, the store is written whole beside it and the log begins anew. When the disk
 * takes no more, everything that is not on it is undone and refused; the next change is another attempt.
 */
final class FileJournal implements Journal {
    private static final Logger log = LoggerFactory.getLogger(FileJournal.class);
    private static final long WAIT_SECONDS = 30;
    /** Nobody waits so long that he would miss one of these. */
    private static final int MOST_REFUSALS = 1_000;

    private final JournalFolder folder;
    private final long longestLog;
    private final FileChannel guard;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition gathered = lock.newCondition();
    private final Condition written = lock.newCondition();
    private List<JournalFormat.Entry> pending = new ArrayList<>();
    private long durable;
    private long rotateAfter;
    private boolean closed;
    private boolean over;
    private @Nullable IOException trouble;
    private final Deque<Refusal> refusals = new ArrayDeque<>();
    private @Nullable Thread writer;
    private @Nullable Thread snapshots;

    /** Revisions after the first and up to the last that are not kept. */
    private record Refusal(long after, long last, IOException cause) {}

    private FileJournal(JournalFolder folder, long longestLog, FileChannel guard) {
        this.folder = folder;
        this.longestLog = longestLog;
        this.guard = guard;
    }

    /** @param longestLog how many bytes a log may have before the store is written whole */
    static FileJournal open(Path directory, long longestLog) throws IOException {
        var folder = new JournalFolder(directory);
        FileChannel guard =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = null;
        try {
            held = guard.tryLock();
        } catch (OverlappingFileLockException _) {
            // this very process has it
        }
        if (held == null) {
            guard.close();
            throw new IOException(directory + " is in use by another server");
        }
        return new FileJournal(folder, longestLog, guard);
    }

    @Override
    public long recover(Replay replay) throws IOException {
        return folder.recover(replay);
    }

    @Override
    public void start(long revision, Owner owner) throws IOException {
        durable = revision;
        var keeper = new Keeper(folder.newLog(revision), owner);
        writer = Thread.ofPlatform().name("journal").start(keeper::work);
    }

    @Override
    public void append(long revision, String table, String key, @Nullable Stored value) {
        lock.lock();
        try {
            pending.add(new JournalFormat.Entry(revision, table, key, value));
            gathered.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void await(long revision) {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
            while (true) {
                for (Refusal each : refusals) {
                    if (revision > each.after() && revision <= each.last()) throw new NotKeptException(each.cause());
                }
                if (durable >= revision) return;
                if (over && trouble != null) throw new IllegalStateException("the journal has ended", trouble);
                if (closed || left <= 0) throw new IllegalStateException("the journal did not take the change in time");
                left = written.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the change was written");
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<String> trouble() {
        lock.lock();
        try {
            return Optional.ofNullable(trouble).map(why -> String.valueOf(why.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    /** What has gathered; nothing when the journal is closed, or when it is time to see whether there is room again. */
    private List<JournalFormat.Entry> take() throws InterruptedException {
        lock.lock();
        try {
            while (pending.isEmpty() && !closed) {
                if (trouble == null) gathered.await();
                else if (!gathered.await(1, TimeUnit.SECONDS)) break;
            }
            List<JournalFormat.Entry> batch = pending;
            pending = new ArrayList<>();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            return closed && pending.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void end(IOException cause) {
        log.error("the journal has ended: nothing more is accepted until a restart", cause);
        lock.lock();
        try {
            trouble = cause;
            over = true;
            written.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Writes, on a thread of its own. */
    private final class Keeper {
        private final Owner owner;
        private LogFile file;

        Keeper(LogFile file, Owner owner) {
            this.file = file;
            this.owner = owner;
        }

        void work() {
            try {
                while (!isOver()) {
                    List<JournalFormat.Entry> batch = take();
                    try {
                        if (batch.isEmpty()) probe();
                        else keep(batch);
                    } catch (IOException full) {
                        refuse(full);
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                end(new IOException("interrupted", interrupted));
            } catch (RuntimeException broken) {
                end(new IOException(broken));
            } finally {
                FileJournal.close(file);
            }
        }

        private void probe() throws IOException {
            if (trouble().isEmpty()) return;
            file.probe();
            healthy();
        }

        private void keep(List<JournalFormat.Entry> batch) throws IOException {
            List<JournalFormat.Entry> rest = batch;
            long mark = rotationMark();
            int rotateAt = mark == 0 ? -1 : firstAfter(batch, mark);
            if (rotateAt >= 0) {
                append(batch.subList(0, rotateAt));
                LogFile next = folder.newLog(mark);
                FileJournal.close(file);
                file = next;
                rotated();
                rest = batch.subList(rotateAt, batch.size());
            }
            append(rest);
            if (file.length() > longestLog && rotationMark() == 0) beginSnapshot(owner);
        }

        private void append(List<JournalFormat.Entry> batch) throws IOException {
            if (batch.isEmpty()) return;
            file.append(batch);
            long revision = batch.getLast().revision();
            owner.reached(revision);
            lock.lock();
            try {
                durable = revision;
                written.signalAll();
            } finally {
                lock.unlock();
            }
            healthy();
        }

        private void healthy() {
            lock.lock();
            try {
                if (trouble != null) log.info("the journal can be written again: directory={}", folder.directory());
                trouble = null;
            } finally {
                lock.unlock();
            }
        }

        private void refuse(IOException full) {
            try {
                file.mend();
            } catch (IOException later) {
                full.addSuppressed(later);
            }
            owner.undo(last -> {
                lock.lock();
                try {
                    if (trouble == null) {
                        log.error(
                                "the journal cannot be written, changes are refused: directory={}",
                                folder.directory(),
                                full);
                    }
                    trouble = full;
                    pending.clear();
                    if (last > durable) remember(new Refusal(durable, last, full));
                    written.signalAll();
                } finally {
                    lock.unlock();
                }
            });
        }
    }

    /** One entry as long as nothing is written in between. */
    private void remember(Refusal refusal) {
        Refusal newest = refusals.peekLast();
        if (newest != null && newest.after() == refusal.after()) refusals.removeLast();
        refusals.add(refusal);
        if (refusals.size() > MOST_REFUSALS) refusals.removeFirst();
    }

    private long rotationMark() {
        lock.lock();
        try {
            return rotateAfter;
        } finally {
            lock.unlock();
        }
    }

    private void rotated() {
        lock.lock();
        try {
            rotateAfter = 0;
        } finally {
            lock.unlock();
        }
    }

    private static int firstAfter(List<JournalFormat.Entry> batch, long revision) {
        for (int i = 0; i < batch.size(); i++) if (batch.get(i).revision() > revision) return i;
        return -1;
    }

    /** The log is cut at the snapshot's revision by the writer itself, so that no log straddles it. */
    private void beginSnapshot(Owner owner) {
        if (snapshots != null && snapshots.isAlive()) return;
        Frozen frozen = owner.freeze();
        lock.lock();
        try {
            rotateAfter = frozen.revision();
        } finally {
            lock.unlock();
        }
        snapshots = Thread.ofPlatform().name("journal-snapshot").start(() -> snapshot(frozen));
    }

    private void snapshot(Frozen frozen) {
        try {
            await(frozen.revision());
            folder.writeSnapshot(frozen);
        } catch (IOException | IllegalStateException failed) {
            log.warn("revision={} the snapshot was not written; the log is kept", frozen.revision(), failed);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            gathered.signal();
        } finally {
            lock.unlock();
        }
        join(writer);
        join(snapshots);
        close(guard);
    }

    private static void join(@Nullable Thread thread) {
        if (thread == null) return;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(WAIT_SECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(AutoCloseable file) {
        try {
            file.close();
        } catch (Exception failed) {
            log.warn("a file of the journal was not closed", failed);
        }
    }
}
