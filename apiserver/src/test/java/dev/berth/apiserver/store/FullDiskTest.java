package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of changes that a disk does not take. */
class FullDiskTest {
    @TempDir
    Path directory;

    private final SmallDisk disk = new SmallDisk();

    private static List<String> keys(Store store, Table table) {
        List<String> keys = new ArrayList<>();
        store.snapshot(table).visit("", "", (key, _) -> keys.add(key));
        return keys;
    }

    @Test
    void aChangeIsRefusedWithTheReasonAndNobodySeesIt() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full));
        Files.createSymbolicLink(directory.resolve("log-%019d".formatted(1)), full);
        try (Store store = Store.recovered(FileJournal.open(directory, 1 << 20))) {
            Table pods = store.table("pods");

            assertThatThrownBy(() -> store.create(pods, "a/p", Drafts.named("p")))
                    .isInstanceOf(NotKeptException.class)
                    .hasMessageContaining("No space left on device");

            assertThat(store.get(pods, "a/p")).isEmpty();
            assertThat(keys(store, pods)).isEmpty();
            assertThat(store.trouble()).hasValue("No space left on device");
        }
    }

    @Test
    void everyKindOfChangeIsUndone() throws IOException {
        try (Store store = Store.recovered(disk)) {
            Table pods = store.table("pods");
            Stored kept = store.create(pods, "a/kept", Drafts.named("kept")).orElseThrow();
            Stored old = store.create(pods, "a/old", Drafts.named("old")).orElseThrow();

            disk.full = true;
            assertThatThrownBy(() -> store.create(pods, "a/new", Drafts.named("new")))
                    .isInstanceOf(NotKeptException.class);
            assertThatThrownBy(() -> store.replace(pods, "a/kept", kept.revision(), Drafts.named("changed")))
                    .isInstanceOf(NotKeptException.class);
            assertThatThrownBy(() -> store.remove(pods, "a/old", old.revision()))
                    .isInstanceOf(NotKeptException.class);

            assertThat(keys(store, pods)).containsExactly("a/kept", "a/old");
            assertThat(store.get(pods, "a/kept").orElseThrow()).isSameAs(kept);
            assertThat(store.revision()).isEqualTo(old.revision());
        }
    }

    @Test
    void whenThereIsRoomAgainWatchersSeeOnlyWhatIsKept() throws Exception {
        try (Store store = Store.recovered(disk)) {
            Table pods = store.table("pods");
            Stored first = store.create(pods, "a/p", Drafts.named("p")).orElseThrow();
            Cursor watcher = store.follow(pods, first.revision());
            disk.full = true;
            assertThatThrownBy(() -> store.create(pods, "a/q", Drafts.named("refused")))
                    .isInstanceOf(NotKeptException.class);
            disk.full = false;

            Stored again = store.create(pods, "a/q", Drafts.named("q")).orElseThrow();

            assertThat(again.revision()).as("no revision twice").isEqualTo(first.revision() + 2);
            assertThat(watcher.next(Duration.ofSeconds(5)).map(Change::shown)).hasValue(again);
            assertThat(watcher.poll()).isEmpty();
            assertThat(store.snapshotAt(pods, first.revision()).size()).isEqualTo(1);
        }
    }

    @Test
    void whatSomeoneRemembersOfATableIsStaleAfterwards() throws IOException {
        try (Store store = Store.recovered(disk)) {
            Table pods = store.table("pods");
            store.create(pods, "a/p", Drafts.named("p"));
            long before = pods.version();
            disk.full = true;
            assertThatThrownBy(() -> store.create(pods, "a/q", Drafts.named("q")))
                    .isInstanceOf(NotKeptException.class);

            assertThat(pods.version()).isGreaterThan(before);
        }
    }

    @Test
    void aTableThatIsAsNewAsTheRefusedChangeCanBeWatched() throws Exception {
        try (Store store = Store.recovered(disk)) {
            disk.full = true;
            assertThatThrownBy(() -> store.create(store.table("pods"), "a/p", Drafts.named("p")))
                    .isInstanceOf(NotKeptException.class);
            disk.full = false;

            Cursor watcher = store.follow(store.table("pods"), store.revision());
            store.create(store.table("pods"), "a/p", Drafts.named("p"));

            assertThat(watcher.poll()).isPresent();
        }
    }

    /** Takes each change when somebody waits for it, or none when it is full. */
    private static final class SmallDisk implements Journal {
        private boolean full;
        private long refused;
        private @Nullable Owner owner;

        @Override
        public long recover(Replay replay) {
            return 0;
        }

        @Override
        public void start(long revision, Owner store) {
            owner = store;
        }

        @Override
        public void append(long revision, String table, String key, @Nullable Stored value) {}

        @Override
        public void await(long revision) {
            if (owner == null) throw new IllegalStateException("not started");
            if (revision <= refused) return;
            if (full) {
                owner.undo(last -> refused = last);
                throw new NotKeptException(new IOException("full"));
            }
            owner.reached(revision);
        }

        @Override
        public Optional<String> trouble() {
            return full ? Optional.of("full") : Optional.empty();
        }

        @Override
        public void close() {}
    }
}
