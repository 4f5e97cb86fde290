package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoreTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final Store store = Store.inMemory();
    private final Table pods = store.table("pods");
    private final Table nodes = store.table("nodes");

    private static List<String> keys(Snapshot snapshot) {
        List<String> keys = new ArrayList<>();
        snapshot.visit("", "", (key, stored) -> keys.add(key));
        return keys;
    }

    @Test
    void everyChangeGetsTheNextRevisionWhateverItsTable() {
        Stored pod = store.create(pods, "a/p", Drafts.named("p")).orElseThrow();
        Stored node = store.create(nodes, "n", Drafts.named("n")).orElseThrow();
        assertThat(node.revision()).isEqualTo(pod.revision() + 1);
        assertThat(store.revision()).isEqualTo(node.revision());
    }

    @Test
    void theBytesCarryTheRevision() {
        Stored pod = store.create(pods, "a/p", Drafts.named("p")).orElseThrow();
        assertThat(pod.toString())
                .isEqualTo("{\"metadata\":{\"name\":\"p\",\"resourceVersion\":\"" + pod.revision() + "\"}}");
    }

    @Test
    void aKeyIsCreatedOnce() {
        store.create(pods, "a/p", Drafts.named("p"));
        assertThat(store.create(pods, "a/p", Drafts.named("p"))).isEmpty();
        assertThat(store.revision()).isEqualTo(2);
    }

    @Test
    void ofTwoWritersWithTheSameRevisionOneLoses() {
        long first = store.create(pods, "a/p", Drafts.named("p")).orElseThrow().revision();
        assertThat(store.replace(pods, "a/p", first, Drafts.named("p"))).isPresent();
        assertThat(store.replace(pods, "a/p", first, Drafts.named("p"))).isEmpty();
        assertThat(store.remove(pods, "a/p", first)).isEmpty();
    }

    @Test
    void aDeletionIsShownUnderItsOwnRevision() {
        long first = store.create(pods, "a/p", Drafts.named("p")).orElseThrow().revision();
        Stored gone = store.remove(pods, "a/p", first).orElseThrow();
        assertThat(gone.revision()).isEqualTo(first + 1);
        assertThat(gone.toString()).contains("\"resourceVersion\":\"" + (first + 1) + "\"");
        assertThat(store.get(pods, "a/p")).isEmpty();
    }

    @Test
    void aSnapshotStaysAsItWas() {
        store.create(pods, "a/p", Drafts.named("p"));
        Snapshot before = store.snapshot(pods);
        store.create(pods, "a/q", Drafts.named("q"));
        assertThat(keys(before)).containsExactly("a/p");
        assertThat(keys(store.snapshot(pods))).containsExactly("a/p", "a/q");
    }

    @Test
    void thePastCanBeReadAsLongAsItsHistoryIsKept() throws ExpiredException {
        long first = store.create(pods, "a/p", Drafts.named("p")).orElseThrow().revision();
        long second = store.replace(pods, "a/p", first, Drafts.named("p"))
                .orElseThrow()
                .revision();
        store.create(pods, "a/q", Drafts.named("q"));
        store.remove(pods, "a/p", second);

        Snapshot past = store.snapshotAt(pods, second);

        assertThat(keys(past)).containsExactly("a/p");
        assertThat(past.get("a/p")).extracting(Stored::revision).isEqualTo(second);
        assertThat(keys(store.snapshotAt(pods, 1))).isEmpty();
    }

    @Test
    void aFollowerSeesEveryChangeAfterItsStartInOrder() throws Exception {
        long first = store.create(pods, "a/p", Drafts.named("p")).orElseThrow().revision();
        Cursor cursor = store.follow(pods, first);
        store.create(nodes, "n", Drafts.named("n"));
        long second = store.replace(pods, "a/p", first, Drafts.named("p"))
                .orElseThrow()
                .revision();
        store.remove(pods, "a/p", second);

        assertThat(cursor.next(SOON).orElseThrow().revision()).isEqualTo(second);
        Change deletion = cursor.next(SOON).orElseThrow();
        assertThat(deletion.deletion()).isTrue();
        assertThat(cursor.poll()).isEmpty();
        assertThat(cursor.bookmark()).isEqualTo(store.revision());
    }

    @Test
    void aFollowerIsWokenByAChange() throws Exception {
        Cursor cursor = store.follow(pods, store.revision());
        var ready = new CountDownLatch(1);
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                if (!ready.await(10, TimeUnit.SECONDS)) return;
            } catch (InterruptedException _) {
                return;
            }
            store.create(pods, "a/p", Drafts.named("p"));
        });
        ready.countDown();
        assertThat(cursor.next(SOON).orElseThrow().key()).isEqualTo("a/p");
        writer.join();
    }

    @Test
    void historyThatIsDroppedIsSaidToBeGone() throws Exception {
        Store small = Store.inMemory(64, 1 << 20);
        Table table = small.table("pods");
        Cursor slow = small.follow(table, small.revision());
        for (int i = 0; i < 65; i++) small.create(table, "a/p" + i, Drafts.named("p" + i));

        assertThatThrownBy(slow::poll).isInstanceOf(ExpiredException.class);
        assertThatThrownBy(() -> small.follow(table, 1)).isInstanceOf(ExpiredException.class);
        assertThatThrownBy(() -> small.snapshotAt(table, 1)).isInstanceOf(ExpiredException.class);
        assertThat(small.follow(table, 2).next(SOON).orElseThrow().revision()).isEqualTo(3);
    }

    @Test
    void historyIsBoundedInBytesToo() {
        Store small = Store.inMemory(1_000, 500);
        Table table = small.table("pods");
        long revision =
                small.create(table, "a/p", Drafts.named("p")).orElseThrow().revision();
        for (int i = 0; i < 50; i++) {
            revision = small.replace(table, "a/p", revision, Drafts.named("p"))
                    .orElseThrow()
                    .revision();
        }
        assertThat(table.history().compacted()).isGreaterThan(30);
    }

    @Test
    void aTableThatIsFirstUsedLateCanBeFollowedFromNow() throws Exception {
        store.create(pods, "a/p", Drafts.named("p"));
        Table late = store.table("late");
        Cursor cursor = store.follow(late, store.revision());
        store.create(late, "x", Drafts.named("x"));
        assertThat(cursor.next(SOON).orElseThrow().key()).isEqualTo("x");
    }

    @Test
    void manyWritersLoseNothing() throws Exception {
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < 8; w++) {
            String name = "w" + w;
            writers.add(Thread.ofVirtual().start(() -> {
                for (int i = 0; i < 500; i++) store.create(pods, name + "/p" + i, Drafts.named("p"));
            }));
        }
        for (Thread each : writers) each.join();
        assertThat(store.snapshot(pods).size()).isEqualTo(4_000);
        assertThat(store.revision()).isEqualTo(4_001);
    }
}
