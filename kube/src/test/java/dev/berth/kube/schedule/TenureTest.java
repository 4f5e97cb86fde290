package dev.berth.kube.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.NodeName;
import dev.berth.kube.ledger.Evidence;
import dev.berth.kube.ledger.OwnNodeLedgers;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When decisions may be made. */
class TenureTest {
    private Runnable whileLooking = () -> {};

    @Test
    void itHasBegunWhenEveryNodeWasLookedAt() throws InterruptedException {
        try (var tenure = tenure()) {
            tenure.elected();
            assertThat(tenure.begun()).isFalse();

            assertThat(tenure.begin()).isTrue();

            assertThat(tenure.begun()).isTrue();
        }
    }

    @Test
    void whoIsDeposedWhileItBeginsHasNotBegun() throws InterruptedException {
        try (var tenure = tenure()) {
            tenure.elected();
            whileLooking = () -> tenure.deposed("the lease is held by another");

            assertThat(tenure.begin()).isFalse();

            assertThat(tenure.begun()).isFalse();
        }
    }

    @Test
    void whoIsElectedAgainMeanwhileLooksAtEveryNodeAgain() throws InterruptedException {
        try (var tenure = tenure()) {
            tenure.elected();
            whileLooking = () -> {
                tenure.deposed("the lease is held by another");
                tenure.elected();
            };
            assertThat(tenure.begin()).isFalse();
            whileLooking = () -> {};

            assertThat(tenure.begin()).isTrue();

            assertThat(tenure.begun()).isTrue();
        }
    }

    private Tenure tenure() {
        return new Tenure(new OwnNodeLedgers(), new Looking(), InstantSource.system(), false);
    }

    /** Shows nothing, and lets something happen while it is asked. */
    private final class Looking implements Evidence {
        @Override
        public Door door() {
            return Door.PINNER;
        }

        @Override
        public boolean synced() {
            return true;
        }

        @Override
        public Collection<NodeName> nodes() {
            whileLooking.run();
            return List.of();
        }

        @Override
        public Collection<Entry> shown(NodeName node) {
            return List.of();
        }

        @Override
        public Look look(NodeName node, Entry entry) {
            return Look.UNKNOWN;
        }
    }
}
