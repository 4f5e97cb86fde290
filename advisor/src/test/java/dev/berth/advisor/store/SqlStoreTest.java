package dev.berth.advisor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.advisor.model.Ema;
import dev.berth.advisor.model.EmaSettings;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqlStoreTest {
    private static final Pair PAIR = new Pair("A", "G");

    @TempDir
    private Path folder = Path.of(".");

    /** A replica: its own connection and its own averages, which remember two pairs. */
    private final class Replica implements Learner, AutoCloseable {
        private final SqlStore store = SqlStore.open(new SqliteFile(folder.resolve("s.db")));
        private final List<Observation> observations = new ArrayList<>();
        private Ema ema = fresh();
        private int begun;

        private static Ema fresh() {
            return new Ema(new EmaSettings(0.3, 0.7, 0.5, 0.15, 0.25, true, 2));
        }

        @Override
        public void begin(Known known) {
            begun++;
            ema = fresh();
            ema.restore(known.estimates(), known.slowdowns());
            observations.clear();
            observations.addAll(known.observations());
        }

        @Override
        public void hear(Observation observation) {
            ema.observe(observation);
            observations.add(observation);
        }

        @Override
        public Ema.Changes consequences(Observation observation) {
            return ema.consequences(observation);
        }

        private void observe(String job, String gpu, double seconds, String... colocated) {
            var observation = new Observation(job, gpu, seconds, List.of(colocated));
            store.write(observation, this, 1_700_000_000.5);
            hear(observation);
        }

        private Replica read() {
            store.read(this);
            return this;
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private void sql(String statement) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("s.db"))) {
            connection.createStatement().execute(statement);
        }
    }

    @Test
    void aRunThatIsToldOfAgainIsNotWrittenAgainWhoeverTellsIt() {
        var run = new Observation("A", "G", 10, List.of(), Optional.of("pod-uid"));
        try (var first = new Replica();
                var second = new Replica()) {
            assertThat(first.store.write(run, first, 1)).isTrue();
            assertThat(first.store.write(run, first, 2)).isFalse();
            assertThat(second.store.write(run, second, 3)).isFalse();
            assertThat(second.store.write(new Observation("A", "G", 10, List.of(), Optional.of("another")), second, 4))
                    .isTrue();

            assertThat(second.observations).hasSize(1);
        }
    }

    @Test
    void whatWasWrittenIsThereAgainToTheLastDigit() {
        try (var first = new Replica();
                var second = new Replica()) {
            first.observe("A", "G", 10);
            first.observe("A", "G", 20, "B");
            first.observe("A", "G", 0.1, "B");

            second.read();

            assertThat(second.ema.known(PAIR)).isEqualTo(first.ema.known(PAIR));
            assertThat(second.ema.knownSlowdown("A", "B")).isEqualTo(first.ema.knownSlowdown("A", "B"));
            assertThat(second.observations).isEqualTo(first.observations).hasSize(3);
        }
    }

    @Test
    void theTablesAreThePublishedOnes() throws Exception {
        try (var replica = new Replica()) {
            replica.observe("A", "G", 10);
            replica.observe("A", "G", 20, "B");
        }
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("s.db"));
                var rows = connection.createStatement().executeQuery("SELECT * FROM stats")) {
            rows.next();
            assertThat(rows.getString(1)).isEqualTo("A");
            assertThat(rows.getString(2)).isEqualTo("G");
            assertThat(rows.getDouble(3)).isEqualTo(11);
            assertThat(rows.getDouble(4)).isEqualTo(10.9);
            assertThat(rows.getInt(5)).isEqualTo(2);
            assertThat(rows.getDouble(6)).isEqualTo(1_700_000_000.5);
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aFileOfThePublishedProgramIsReadAndWritten() throws Exception {
        sql("CREATE TABLE stats(job_type TEXT, gpu_type TEXT, mean_runtime REAL, variance REAL, count INTEGER,"
                + " last_updated REAL, PRIMARY KEY(job_type, gpu_type))");
        sql("INSERT INTO stats VALUES ('A', 'G', 10.0, 1.0, 1, 1699123456.0)");
        try (var replica = new Replica()) {
            replica.read().observe("A", "G", 20);

            assertThat(replica.ema.known(PAIR)).contains(new Ema.Estimate(11, 10.9, 2));
        }
    }

    @Test
    void aSlowdownOfNothingIsNotKept() {
        try (var first = new Replica();
                var second = new Replica()) {
            first.observe("A", "G", 20, "B");

            assertThat(second.read().ema.knownSlowdown("A", "B")).isEmpty();
        }
    }

    @Test
    void whatTheModelForgetsTheTablesForgetToo() {
        try (var first = new Replica();
                var second = new Replica()) {
            first.observe("a", "g", 1);
            first.observe("b", "g", 1);
            first.observe("c", "g", 1);

            second.read();
            assertThat(second.ema.known(new Pair("a", "g"))).isEmpty();
            assertThat(second.ema.known(new Pair("c", "g"))).isPresent();
        }
    }

    @Test
    void whatOneReplicaWroteTheOtherHearsOnce() {
        try (var first = new Replica();
                var second = new Replica()) {
            second.read();
            first.observe("A", "G", 10);

            second.read().read();

            assertThat(second.observations).containsExactly(new Observation("A", "G", 10, List.of()));
            assertThat(second.begun).isEqualTo(1);
        }
    }

    @Test
    void replicasThatWriteInTurnsKnowTheSame() {
        try (var first = new Replica();
                var second = new Replica();
                var third = new Replica()) {
            first.observe("A", "G", 10);
            second.observe("A", "G", 20, "B");
            first.observe("A", "G", 30, "B");
            second.observe("A", "G", 12);
            first.read();

            assertThat(first.ema.known(PAIR)).isEqualTo(second.ema.known(PAIR)).isPresent();
            assertThat(third.read().ema.known(PAIR)).isEqualTo(second.ema.known(PAIR));
            assertThat(third.ema.knownSlowdown("A", "B")).isEqualTo(first.ema.knownSlowdown("A", "B"));
        }
    }

    @Test
    void whoFellTooFarBehindBeginsAnew() throws Exception {
        try (var first = new Replica();
                var second = new Replica()) {
            first.observe("A", "G", 10);
            second.read();
            sql("UPDATE sqlite_sequence SET seq = 20000");
            first.observe("A", "G", 10);

            second.read();

            assertThat(second.begun).isEqualTo(2);
            assertThat(second.ema.known(PAIR)).isEqualTo(first.ema.known(PAIR));
        }
    }

    @Test
    void aWriteThatFailsLeavesNothingBehindAndTheNextOneWorks() throws Exception {
        try (var replica = new Replica()) {
            replica.observe("A", "G", 10);
            sql("CREATE TRIGGER full BEFORE INSERT ON stats BEGIN SELECT RAISE(ABORT, 'no room'); END");
            assertThatThrownBy(() -> replica.observe("A", "G", 20))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("s.db cannot be written")
                    .hasMessageContaining("no room");
            sql("DROP TRIGGER full");

            replica.observe("A", "G", 20);

            assertThat(replica.observations).hasSize(2);
            try (var other = new Replica()) {
                assertThat(other.read().observations).hasSize(2);
            }
        }
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        var nowhere = new SqliteFile(folder.resolve("no/such/s.db"));

        assertThatThrownBy(() -> SqlStore.open(nowhere)).hasMessageContaining("no/such/s.db");
    }

    @Test
    void aPairThatAnOlderVersionSpoiltIsForgotten() throws Exception {
        try (var replica = new Replica()) {
            replica.observe("A", "G", 10);
        }
        sql("UPDATE stats SET variance = 9e999");

        try (var replica = new Replica()) {
            assertThat(replica.read().ema.known(PAIR)).isEmpty();
        }
    }
}
