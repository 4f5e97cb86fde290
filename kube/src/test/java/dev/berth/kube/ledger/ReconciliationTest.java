package dev.berth.kube.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Holdings;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.kube.TestServer;
import dev.berth.kube.ledger.Evidence.Look;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class ReconciliationTest {
    private static final NodeName NODE = new NodeName("n1");
    private static final DeviceId GPU = new DeviceId("GPU-1");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Holder RESERVED = Holder.reservation(Door.PINNER, "default", "anna-", "request-1");
    private static final Holder ANNA = RESERVED.seenAs("anna-x7", "uid-anna");
    private static final Holder BERT = Holder.pod(Door.PINNER, "default", "bert", "uid-bert");

    private final OwnNodeLedgers ledgers = new OwnNodeLedgers();
    private final Cluster cluster = new Cluster();

    @Test
    void whatIsSeenIsConfirmedUnderThePodsRealName() {
        write(Entry.assumed(GPU, RESERVED, Share.WHOLE, NOON.plusSeconds(60)));
        cluster.shown = List.of(Entry.confirmed(GPU, ANNA, Share.WHOLE));

        reconcile(NOON);

        assertThat(ledgers.read(NODE).entries()).containsExactly(Entry.confirmed(GPU, ANNA, Share.WHOLE));
    }

    @Test
    void anAssumedEntryIsKeptUntilItExpiresAndDroppedAfter() {
        var assumed = Entry.assumed(GPU, BERT, Share.WHOLE, NOON);
        write(assumed);
        cluster.looks.put(BERT.id(), Look.GONE);

        reconcile(NOON.plusSeconds(4));
        assertThat(ledgers.read(NODE).entries()).as("within the grace").containsExactly(assumed);

        reconcile(NOON.plusSeconds(5));
        assertThat(ledgers.read(NODE)).isEqualTo(Holdings.EMPTY);
    }

    @Test
    void aConfirmedEntryGoesWithItsPod() {
        write(Entry.confirmed(GPU, BERT, Share.WHOLE));
        cluster.looks.put(BERT.id(), Look.GONE);

        reconcile(NOON);

        assertThat(ledgers.read(NODE)).isEqualTo(Holdings.EMPTY);
    }

    @Test
    void aFailedReadDropsNothing() {
        write(Entry.confirmed(GPU, BERT, Share.WHOLE));
        write(Entry.assumed(new DeviceId("GPU-2"), RESERVED, Share.WHOLE, NOON));
        cluster.looks.put(BERT.id(), Look.UNKNOWN);
        cluster.looks.put(RESERVED.id(), Look.UNKNOWN);

        reconcile(NOON.plus(Duration.ofDays(1)));

        assertThat(ledgers.read(NODE).entries()).hasSize(2);
    }

    @Test
    void aCacheThatIsNotFilledChangesNothing() {
        write(Entry.confirmed(GPU, BERT, Share.WHOLE));
        cluster.looks.put(BERT.id(), Look.GONE);
        cluster.synced = false;

        reconcile(NOON);

        assertThat(ledgers.read(NODE).free(GPU)).isFalse();
    }

    @Test
    void aPodThatTheCacheDoesNotKnowYetKeepsItsDevice() {
        write(Entry.confirmed(GPU, BERT, Share.WHOLE));
        cluster.looks.put(BERT.id(), Look.STILL_HELD);

        reconcile(NOON);

        assertThat(ledgers.read(NODE).free(GPU)).isFalse();
    }

    @Test
    void anotherDoorsEntriesAreNotTouched() {
        var theirs = Holder.pod(Door.CLAIMS, "default", "carla", "uid-carla");
        write(Entry.assumed(GPU, theirs, Share.WHOLE, NOON));
        cluster.looks.put(theirs.id(), Look.GONE);

        reconcile(NOON.plus(Duration.ofDays(1)));

        assertThat(ledgers.read(NODE).free(GPU)).isFalse();
    }

    @Test
    void anOldPictureDoesNotContestANewHolder() {
        write(Entry.assumed(GPU, BERT, Share.WHOLE, NOON.plusSeconds(60)));
        cluster.shown = List.of(Entry.confirmed(GPU, ANNA, Share.WHOLE));
        cluster.looks.put(ANNA.id(), Look.GONE);

        reconcile(NOON);

        assertThat(ledgers.read(NODE).contested()).isEmpty();
    }

    @Test
    void whoComesWhileAnOldPictureIsLookedAtIsNotContested() {
        var bert = Entry.assumed(GPU, BERT, Share.WHOLE, NOON.plusSeconds(60));
        cluster.shown = List.of(Entry.confirmed(GPU, ANNA, Share.WHOLE));
        cluster.looks.put(ANNA.id(), Look.GONE);
        cluster.meanwhile = () -> write(bert);

        reconcile(NOON);

        assertThat(ledgers.read(NODE).entries()).containsExactly(bert);
    }

    @Test
    void anOldPictureOfAHolderDoesNotReplaceWhatWasDecidedSince() {
        var decidedAgain = Entry.assumed(GPU, BERT, Share.WHOLE, NOON.plusSeconds(65));
        write(decidedAgain);
        cluster.shown = List.of(Entry.assumed(GPU, BERT, Share.WHOLE, NOON.plusSeconds(60)));

        reconcile(NOON);
        assertThat(ledgers.read(NODE).entries()).containsExactly(decidedAgain);

        var confirmed = Entry.confirmed(GPU, BERT, Share.WHOLE);
        write(confirmed);
        reconcile(NOON);
        assertThat(ledgers.read(NODE).entries()).containsExactly(confirmed);
    }

    @Test
    void aNewerDecisionThatIsSeenReplacesTheOlder() {
        write(Entry.assumed(GPU, BERT, Share.WHOLE, NOON.plusSeconds(60)));
        var newer = Entry.assumed(GPU, BERT, Share.WHOLE, NOON.plusSeconds(65));
        cluster.shown = List.of(newer);

        reconcile(NOON);

        assertThat(ledgers.read(NODE).entries()).containsExactly(newer);
    }

    @Test
    void twoPodsThatReallyHoldOneDeviceAreBothRecorded() {
        write(Entry.confirmed(GPU, BERT, Share.WHOLE));
        cluster.shown = List.of(Entry.confirmed(GPU, ANNA, Share.WHOLE), Entry.confirmed(GPU, BERT, Share.WHOLE));
        cluster.looks.put(ANNA.id(), Look.STILL_HELD);
        cluster.looks.put(BERT.id(), Look.STILL_HELD);

        reconcile(NOON);

        assertThat(ledgers.read(NODE).contested()).containsExactly(GPU);
    }

    @Test
    void aNodeThatIsToldOfIsLookedAtWithoutWaitingForTheNextPass() {
        try (var reconciler = Reconciler.start(ledgers, cluster, () -> NOON, Duration.ofHours(1))) {
            cluster.shown = List.of(Entry.confirmed(GPU, ANNA, Share.WHOLE));
            reconciler.tell(NODE);

            TestServer.await("reconciled", () -> !ledgers.read(NODE).free(GPU));
        }
    }

    @Test
    void everyNodeIsLookedAtRegularly() {
        write(Entry.confirmed(GPU, BERT, Share.WHOLE));
        try (var reconciler = Reconciler.start(ledgers, cluster, () -> NOON, Duration.ofMillis(20))) {
            cluster.looks.put(BERT.id(), Look.GONE);

            TestServer.await("dropped", () -> ledgers.read(NODE).free(GPU));
            reconciler.tell(NODE);
        }
    }

    private void write(Entry entry) {
        ledgers.decide(NODE, before -> new Decision.Decided<>(before.recording(entry), true), Duration.ZERO);
    }

    private void reconcile(Instant now) {
        Reconciler.reconcile(ledgers, cluster, () -> now, NODE);
    }

    /** A cluster that shows what a test says it shows. */
    private static final class Cluster implements Evidence {
        private volatile Collection<Entry> shown = List.of();
        private final Map<String, Look> looks = new ConcurrentHashMap<>();
        private volatile boolean synced = true;
        /** What happens while somebody looks. */
        private volatile Runnable meanwhile = () -> {};

        @Override
        public Door door() {
            return Door.PINNER;
        }

        @Override
        public boolean synced() {
            return synced;
        }

        @Override
        public Collection<NodeName> nodes() {
            return List.of(NODE);
        }

        @Override
        public Collection<Entry> shown(NodeName node) {
            meanwhile.run();
            return shown;
        }

        @Override
        public Look look(NodeName node, Entry entry) {
            return looks.getOrDefault(entry.holder().id(), Look.UNKNOWN);
        }
    }
}
