package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
    private static final long LONG_LOG = 1 << 20;

    @TempDir
    Path directory;

    private Store open(long longestLog) throws IOException {
        return Store.recovered(FileJournal.open(directory, longestLog));
    }

    private static List<String> state(Store store) {
        List<String> state = new ArrayList<>();
        store.snapshot(store.table("pods"))
                .visit("", "", (key, stored) -> state.add(key + "@" + stored.revision() + " " + stored));
        return state;
    }

    @Test
    void whatWasWrittenIsThereAfterARestart() throws IOException {
        List<String> before;
        long revision;
        try (Store store = open(LONG_LOG)) {
            Table pods = store.table("pods");
            long first = store.create(pods, "a/p", Drafts.of("p", Map.of("x", "y")))
                    .orElseThrow()
                    .revision();
            store.create(pods, "a/q", Drafts.named("q"));
            store.replace(pods, "a/p", first, Drafts.of("p", Map.of("x", "z")));
            long gone =
                    store.create(pods, "a/r", Drafts.named("r")).orElseThrow().revision();
            store.remove(pods, "a/r", gone);
            before = state(store);
            revision = store.revision();
        }
        try (Store store = open(LONG_LOG)) {
            assertThat(state(store)).isEqualTo(before).hasSize(2);
            assertThat(store.revision()).isEqualTo(revision);
            Stored pod = store.get(store.table("pods"), "a/p").orElseThrow();
            assertThat(pod.facts()).isEqualTo(new Facts("uid-p", Map.of("x", "z"), List.of("field")));
            assertThat(store.create(store.table("pods"), "a/s", Drafts.named("s"))
                            .orElseThrow()
                            .revision())
                    .isEqualTo(revision + 1);
        }
    }

    @Test
    void historyBeforeARestartIsSaidToBeGone() throws IOException {
        try (Store store = open(LONG_LOG)) {
            store.create(store.table("pods"), "a/p", Drafts.named("p"));
            store.create(store.table("pods"), "a/q", Drafts.named("q"));
        }
        try (Store store = open(LONG_LOG)) {
            Table pods = store.table("pods");
            assertThatThrownBy(() -> store.follow(pods, store.revision() - 1)).isInstanceOf(ExpiredException.class);
        }
    }

    @Test
    void aLogCutAtAnyByteRecoversToAStateThatWasThere() throws IOException {
        List<List<String>> states = new ArrayList<>();
        try (Store store = open(LONG_LOG)) {
            Table pods = store.table("pods");
            states.add(state(store));
            for (int i = 0; i < 5; i++) {
                store.create(pods, "a/p" + i, Drafts.named("p" + i));
                states.add(state(store));
            }
            store.remove(pods, "a/p2", 4);
            states.add(state(store));
        }
        Path log = only("log-");
        byte[] whole = Files.readAllBytes(log);
        int longest = 0;
        for (int length = 0; length <= whole.length; length++) {
            clear();
            Files.write(log, Arrays.copyOf(whole, length));
            try (Store store = open(LONG_LOG)) {
                int found = states.indexOf(state(store));
                assertThat(found).as("cut at byte %d", length).isGreaterThanOrEqualTo(longest);
                longest = found;
            }
        }
        assertThat(longest).isEqualTo(states.size() - 1);
    }

    @Test
    void garbageAfterTheLastRecordIsDroppedAndWritingGoesOn() throws IOException {
        try (Store store = open(LONG_LOG)) {
            store.create(store.table("pods"), "a/p", Drafts.named("p"));
        }
        Files.write(only("log-"), new byte[] {0, 0, 0, 9, 1, 2, 3}, StandardOpenOption.APPEND);
        try (Store store = open(LONG_LOG)) {
            store.create(store.table("pods"), "a/q", Drafts.named("q"));
        }
        try (Store store = open(LONG_LOG)) {
            assertThat(store.snapshot(store.table("pods")).size()).isEqualTo(2);
        }
    }

    @Test
    void aLongLogIsReplacedByASnapshot() throws Exception {
        List<String> before;
        try (Store store = open(2_000)) {
            Table pods = store.table("pods");
            for (int i = 0; i < 200; i++) store.create(pods, "a/p" + i, Drafts.named("p" + i));
            awaitFile("snapshot-");
            store.create(pods, "a/last", Drafts.named("last"));
            before = state(store);
        }
        try (Store store = open(2_000)) {
            assertThat(state(store)).isEqualTo(before);
        }
        assertThat(files("log-").mapToLong(FileJournalTest::size).sum()).isLessThan(200 * 150);
    }

    @Test
    void anUnfinishedSnapshotIsIgnored() throws IOException {
        try (Store store = open(LONG_LOG)) {
            store.create(store.table("pods"), "a/p", Drafts.named("p"));
        }
        Files.write(directory.resolve("unfinished-snapshot"), new byte[] {1, 2, 3});
        try (Store store = open(LONG_LOG)) {
            assertThat(store.snapshot(store.table("pods")).size()).isEqualTo(1);
        }
    }

    @Test
    void twoServersDoNotShareAFolder() throws IOException {
        try (Store first = open(LONG_LOG)) {
            assertThat(first.revision()).isEqualTo(1);
            assertThatThrownBy(() -> open(LONG_LOG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void manyWritersShareTheirWritesToDisk() throws Exception {
        try (Store store = open(LONG_LOG)) {
            Table pods = store.table("pods");
            List<Thread> writers = new ArrayList<>();
            for (int w = 0; w < 16; w++) {
                String name = "w" + w;
                writers.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < 25; i++) store.create(pods, name + "/p" + i, Drafts.named("p"));
                }));
            }
            for (Thread each : writers) each.join();
        }
        try (Store store = open(LONG_LOG)) {
            assertThat(store.snapshot(store.table("pods")).size()).isEqualTo(400);
        }
    }

    private void awaitFile(String prefix) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (files(prefix).findAny().isEmpty()) {
            assertThat(System.nanoTime()).as("waiting for " + prefix).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private Path only(String prefix) throws IOException {
        List<Path> found = files(prefix).toList();
        return found.getLast();
    }

    private Stream<Path> files(String prefix) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(each -> each.getFileName().toString().startsWith(prefix)).sorted().toList().stream();
        }
    }

    private void clear() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path each : all.toList()) Files.delete(each);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException _) {
            return 0;
        }
    }
}
