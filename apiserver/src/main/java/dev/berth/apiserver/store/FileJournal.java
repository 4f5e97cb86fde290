package dev.berth.apiserver.store;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A write-ahead log with group commit: one thread writes whatever has gathered, forces it to disk once, and wakes all
 * who wait. When the log has grown long, the store is written whole beside it and the log begins anew.
 */
final class FileJournal implements Journal {
    private static final Logger log = LoggerFactory.getLogger(FileJournal.class);
    private static final long WAIT_SECONDS = 30;

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
    private @Nullable IOException failure;
    private @Nullable Thread writer;
    private @Nullable Thread snapshots;

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
    public void start(long revision, LongConsumer reached, Function<Runnable, Frozen> freeze) throws IOException {
        durable = revision;
        FileChannel first = folder.newLog(revision);
        writer = Thread.ofPlatform().name("journal").start(() -> write(first, reached, freeze));
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
            while (durable < revision) {
                if (failure != null) throw new IllegalStateException("the journal cannot be written", failure);
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

    private void write(FileChannel first, LongConsumer reached, Function<Runnable, Frozen> freeze) {
        FileChannel channel = first;
        try {
            var buffer = new ByteArrayOutputStream(1 << 16);
            long length = 0;
            for (List<JournalFormat.Entry> batch = take(); !batch.isEmpty(); batch = take()) {
                long mark = rotationMark();
                int rotateAt = mark == 0 ? -1 : firstAfter(batch, mark);
                if (rotateAt >= 0) {
                    length += writeAll(channel, buffer, batch.subList(0, rotateAt));
                    channel.close();
                    channel = folder.newLog(mark);
                    batch = batch.subList(rotateAt, batch.size());
                    length = 0;
                    rotated();
                }
                length += writeAll(channel, buffer, batch);
                announce(batch.getLast().revision(), reached);
                if (length > longestLog && rotationMark() == 0) beginSnapshot(freeze);
            }
        } catch (IOException broken) {
            log.error("the journal cannot be written, nothing more is accepted", broken);
            fail(broken);
        } finally {
            close(channel);
        }
    }

    private List<JournalFormat.Entry> take() {
        lock.lock();
        try {
            while (pending.isEmpty() && !closed) gathered.awaitUninterruptibly();
            List<JournalFormat.Entry> batch = pending;
            pending = new ArrayList<>();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private static int writeAll(FileChannel channel, ByteArrayOutputStream buffer, List<JournalFormat.Entry> batch)
            throws IOException {
        if (batch.isEmpty()) return 0;
        buffer.reset();
        var out = new DataOutputStream(buffer);
        for (JournalFormat.Entry each : batch) JournalFormat.write(out, each);
        ByteBuffer bytes = ByteBuffer.wrap(buffer.toByteArray());
        while (bytes.hasRemaining()) channel.write(bytes);
        channel.force(false);
        return bytes.limit();
    }

    private void announce(long revision, LongConsumer reached) {
        reached.accept(revision);
        lock.lock();
        try {
            durable = revision;
            written.signalAll();
        } finally {
            lock.unlock();
        }
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
    private void beginSnapshot(Function<Runnable, Frozen> freeze) {
        if (snapshots != null && snapshots.isAlive()) return;
        Frozen frozen = freeze.apply(() -> {});
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

    private void fail(IOException broken) {
        lock.lock();
        try {
            failure = broken;
            written.signalAll();
        } finally {
            lock.unlock();
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

    private static void close(FileChannel channel) {
        try {
            channel.close();
        } catch (IOException failed) {
            log.warn("a file of the journal was not closed", failed);
        }
    }
}
