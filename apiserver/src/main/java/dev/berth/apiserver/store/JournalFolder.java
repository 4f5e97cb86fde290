package dev.berth.apiserver.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a journal: {@code snapshot-N}, the whole store at revision N, and {@code log-N}, the changes after
 * revision N. A snapshot counts only when its end mark is there, so a kill while it is written does no harm.
 */
final class JournalFolder {
    private static final Logger log = LoggerFactory.getLogger(JournalFolder.class);
    private static final String SNAPSHOT = "snapshot-";
    private static final String LOG = "log-";

    private final Path directory;

    JournalFolder(Path directory) throws IOException {
        this.directory = Files.createDirectories(directory);
    }

    Path directory() {
        return directory;
    }

    /** Reads the newest whole snapshot and every change after it; returns the last revision, 0 for an empty folder. */
    long recover(Journal.Replay replay) throws IOException {
        long start = 0;
        List<Path> snapshots = files(SNAPSHOT);
        for (Path each : snapshots.reversed()) {
            if (!isWhole(each)) continue;
            start = number(each);
            load(each, replay);
            break;
        }
        if (start == 0 && !snapshots.isEmpty()) {
            throw new IOException("no snapshot in " + directory + " can be read");
        }
        long last = start;
        List<Path> logs = files(LOG);
        for (Path each : logs) last = replayLog(each, each.equals(logs.getLast()), last, replay);
        return last;
    }

    private static boolean isWhole(Path snapshot) throws IOException {
        try (InputStream in = open(snapshot)) {
            int count = 0;
            while (true) {
                Optional<JournalFormat.Entry> entry = JournalFormat.read(in);
                if (entry.isEmpty()) return false;
                if (entry.get().isEnd()) return entry.get().key().equals(Integer.toString(count));
                count++;
            }
        }
    }

    private static void load(Path snapshot, Journal.Replay replay) throws IOException {
        try (InputStream in = open(snapshot)) {
            while (true) {
                Optional<JournalFormat.Entry> entry = JournalFormat.read(in);
                if (entry.isEmpty() || entry.get().isEnd()) return;
                replay.apply(entry.get().table(), entry.get().key(), entry.get().value());
            }
        }
    }

    private static long replayLog(Path file, boolean newest, long after, Journal.Replay replay) throws IOException {
        long last = after;
        long good = 0;
        try (InputStream in = open(file)) {
            for (var entry = JournalFormat.read(in); entry.isPresent(); entry = JournalFormat.read(in)) {
                JournalFormat.Entry change = entry.get();
                good += JournalFormat.size(change);
                if (change.revision() <= last) continue;
                replay.apply(change.table(), change.key(), change.value());
                last = change.revision();
            }
        }
        long torn = Files.size(file) - good;
        if (torn > 0) {
            if (!newest) throw new IOException(file + " is damaged at byte " + good);
            // A change that was being written when the process died was acknowledged to nobody.
            log.warn("file={} dropped the {} bytes of an unfinished write at its end", file.getFileName(), torn);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(good);
                channel.force(true);
            }
        }
        return last;
    }

    LogFile newLog(long revision) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(LOG + name(revision)), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        sync();
        return new LogFile(channel);
    }

    /** Writes the whole store and then removes what it makes superfluous. */
    void writeSnapshot(Journal.Frozen frozen) throws IOException {
        Path file = directory.resolve(SNAPSHOT + name(frozen.revision()));
        Path unfinished = directory.resolve("unfinished-snapshot");
        try {
            writeWhole(frozen, unfinished);
        } catch (IOException failed) {
            // Perhaps the disk is full: what is of no use must not take up room.
            Files.deleteIfExists(unfinished);
            throw failed;
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        sync();
        for (Path each : files(SNAPSHOT)) if (number(each) < frozen.revision()) Files.delete(each);
        for (Path each : files(LOG)) if (number(each) < frozen.revision()) Files.delete(each);
    }

    private static void writeWhole(Journal.Frozen frozen, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                var out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16))) {
            int count = 0;
            for (Map.Entry<String, SortedTree> table : frozen.trees().entrySet()) {
                List<JournalFormat.Entry> entries =
                        new ArrayList<>(table.getValue().size());
                table.getValue().visit("", "", (key, value) -> {
                    entries.add(new JournalFormat.Entry(value.revision(), table.getKey(), key, value));
                    return true;
                });
                for (JournalFormat.Entry each : entries) JournalFormat.write(out, each);
                count += entries.size();
            }
            JournalFormat.write(out, JournalFormat.Entry.end(frozen.revision(), count));
            out.flush();
            channel.force(true);
        }
    }

    private void sync() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** In the order of their revisions. */
    private List<Path> files(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(each -> each.getFileName().toString().startsWith(prefix))
                    .sorted(Comparator.comparingLong(JournalFolder::number))
                    .toList();
        }
    }

    private static long number(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1));
    }

    private static String name(long revision) {
        return "%019d".formatted(revision);
    }

    private static InputStream open(Path file) throws IOException {
        return new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }
}
