package dev.berth.advisor.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.advisor.model.Ema;
import dev.berth.advisor.model.EmaSettings;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest {
    @TempDir
    private Path folder = Path.of(".");

    private final Ema ema = new Ema(new EmaSettings(0.3, 0.7, 0.5, 0.15, 0.25, true, 2));

    private void observe(Store store, String job, String gpu, double seconds, String... colocated) {
        var observation = new Observation(job, gpu, seconds, List.of(colocated));
        var changes = ema.consequences(observation);
        store.write(observation, changes, 1_700_000_000.5);
        ema.take(changes);
    }

    @Test
    void whatWasWrittenIsThereAgainToTheLastDigit() {
        try (var store = SqliteStore.open(folder.resolve("s.db"))) {
            observe(store, "A", "G", 10);
            observe(store, "A", "G", 20, "B");
            observe(store, "A", "G", 0.1, "B");
        }

        try (var store = SqliteStore.open(folder.resolve("s.db"))) {
            var pair = new Pair("A", "G");
            assertThat(store.estimates()).containsEntry(pair, ema.known(pair).orElseThrow());
            assertThat(store.slowdowns())
                    .containsEntry(
                            new Pair("A", "B"), ema.knownSlowdown("A", "B").orElseThrow());
            assertThat(store.observations())
                    .containsExactly(
                            new Observation("A", "G", 10, List.of()),
                            new Observation("A", "G", 20, List.of("B")),
                            new Observation("A", "G", 0.1, List.of("B")));
        }
    }

    @Test
    void theTablesAreThePublishedOnes() throws Exception {
        try (var store = SqliteStore.open(folder.resolve("s.db"))) {
            observe(store, "A", "G", 10);
            observe(store, "A", "G", 20, "B");
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
    void aSlowdownOfNothingIsNotKept() {
        try (var store = SqliteStore.open(folder.resolve("s.db"))) {
            observe(store, "A", "G", 20, "B");

            assertThat(store.slowdowns()).isEmpty();
        }
    }

    @Test
    void whatTheModelForgetsTheTablesForgetToo() {
        try (var store = SqliteStore.open(folder.resolve("s.db"))) {
            observe(store, "a", "g", 1);
            observe(store, "b", "g", 1);
            observe(store, "c", "g", 1);

            assertThat(store.estimates()).containsOnlyKeys(new Pair("b", "g"), new Pair("c", "g"));
        }
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        var nowhere = folder.resolve("no/such/s.db");

        assertThatThrownBy(() -> SqliteStore.open(nowhere)).hasMessageContaining("no/such/s.db");
    }
}
