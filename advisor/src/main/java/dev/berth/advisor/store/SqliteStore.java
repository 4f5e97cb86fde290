package dev.berth.advisor.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.advisor.model.Ema.Changes;
import dev.berth.advisor.model.Ema.Estimate;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of SQLite with the published tables, and one more with the observations themselves, from which another model
 * can learn what this one knows. Written through, with a write-ahead log: readers do not wait.
 */
public final class SqliteStore implements Store {
    private static final int MOST_OBSERVATIONS = 10_000;
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> TABLES = List.of("""
            CREATE TABLE IF NOT EXISTS stats(job_type TEXT, gpu_type TEXT, mean_runtime REAL, variance REAL, count INTEGER,
            last_updated REAL, PRIMARY KEY(job_type, gpu_type))""", """
            CREATE TABLE IF NOT EXISTS interference(job_type TEXT, co_job_type TEXT, slowdown_factor REAL,
            PRIMARY KEY(job_type, co_job_type))""", """
            CREATE TABLE IF NOT EXISTS observations(id INTEGER PRIMARY KEY AUTOINCREMENT, job_type TEXT, gpu_type TEXT,
            seconds REAL, colocated TEXT, observed REAL)""");

    private final Path file;
    private final Connection connection;

    private SqliteStore(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /** @throws StoreException if the file cannot be opened or made */
    public static SqliteStore open(Path file) {
        var folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new StoreException("there is no folder for the database " + file, new SQLException("no folder"));
        }
        try {
            var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            var store = new SqliteStore(file, connection);
            store.prepare();
            return store;
        } catch (SQLException problem) {
            throw new StoreException(
                    "the database %s cannot be opened: %s".formatted(file, problem.getMessage()), problem);
        }
    }

    private void prepare() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode=WAL");
            statement.execute("PRAGMA synchronous=FULL");
            statement.execute("PRAGMA busy_timeout=2000");
            for (var table : TABLES) {
                statement.execute(table);
            }
        }
        connection.setAutoCommit(false);
    }

    private interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private <T> T query(String sql, Reader<T> reader) {
        try (var statement = connection.prepareStatement(sql);
                var rows = statement.executeQuery()) {
            var read = reader.read(rows);
            connection.commit();
            return read;
        } catch (SQLException problem) {
            throw new StoreException(
                    "the database %s cannot be read: %s".formatted(file, problem.getMessage()), problem);
        }
    }

    @Override
    public Map<Pair, Estimate> estimates() {
        return query(
                "SELECT job_type, gpu_type, mean_runtime, variance, count FROM stats"
                        + " WHERE mean_runtime > 0 AND variance > 0 ORDER BY last_updated, rowid",
                rows -> {
                    Map<Pair, Estimate> estimates = new LinkedHashMap<>();
                    while (rows.next()) {
                        estimates.put(
                                new Pair(rows.getString(1), rows.getString(2)),
                                new Estimate(rows.getDouble(3), rows.getDouble(4), rows.getLong(5)));
                    }
                    return estimates;
                });
    }

    @Override
    public Map<Pair, Double> slowdowns() {
        return query("SELECT job_type, co_job_type, slowdown_factor FROM interference ORDER BY rowid", rows -> {
            Map<Pair, Double> slowdowns = new LinkedHashMap<>();
            while (rows.next()) {
                slowdowns.put(new Pair(rows.getString(1), rows.getString(2)), rows.getDouble(3));
            }
            return slowdowns;
        });
    }

    @Override
    public List<Observation> observations() {
        return query("SELECT job_type, gpu_type, seconds, colocated FROM observations ORDER BY id", rows -> {
            List<Observation> observations = new ArrayList<>();
            while (rows.next()) {
                observations.add(new Observation(
                        rows.getString(1), rows.getString(2), rows.getDouble(3), neighbours(rows.getString(4))));
            }
            return observations;
        });
    }

    @Override
    public void write(Observation observation, Changes changes, double seconds) {
        try {
            insert(observation, seconds);
            for (var entry : changes.estimates().entrySet()) {
                save(entry.getKey(), entry.getValue(), seconds);
            }
            for (var entry : changes.slowdowns().entrySet()) {
                if (entry.getValue() > 0) {
                    save(entry.getKey(), entry.getValue());
                }
            }
            for (var pair : changes.forgotten()) {
                run("DELETE FROM stats WHERE job_type = ? AND gpu_type = ?", pair.jobType(), pair.gpuType());
            }
            for (var pair : changes.forgottenNeighbours()) {
                run("DELETE FROM interference WHERE job_type = ? AND co_job_type = ?", pair.jobType(), pair.gpuType());
            }
            connection.commit();
        } catch (SQLException problem) {
            rollBack(problem);
            throw new StoreException(
                    "the database %s cannot be written: %s".formatted(file, problem.getMessage()), problem);
        }
    }

    @Override
    public void check() {
        try {
            run("DELETE FROM stats WHERE 0");
            connection.rollback();
        } catch (SQLException problem) {
            rollBack(problem);
            throw new StoreException(
                    "the database %s cannot be written: %s".formatted(file, problem.getMessage()), problem);
        }
    }

    private void rollBack(SQLException problem) {
        try {
            connection.rollback();
        } catch (SQLException worse) {
            problem.addSuppressed(worse);
        }
    }

    private void insert(Observation observation, double seconds) throws SQLException {
        run(
                "INSERT INTO observations(job_type, gpu_type, seconds, colocated, observed) VALUES (?, ?, ?, ?, ?)",
                observation.jobType(),
                observation.gpuType(),
                observation.seconds(),
                text(observation.colocated()),
                seconds);
        run("DELETE FROM observations WHERE id <= (SELECT MAX(id) FROM observations) - " + MOST_OBSERVATIONS);
    }

    private void save(Pair pair, Estimate estimate, double seconds) throws SQLException {
        run(
                "INSERT INTO stats(job_type, gpu_type, mean_runtime, variance, count, last_updated) VALUES (?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT(job_type, gpu_type) DO UPDATE SET mean_runtime = excluded.mean_runtime,"
                        + " variance = excluded.variance, count = excluded.count, last_updated = excluded.last_updated",
                pair.jobType(),
                pair.gpuType(),
                estimate.mean(),
                estimate.variance(),
                estimate.count(),
                seconds);
    }

    private void save(Pair pair, double slowdown) throws SQLException {
        run(
                "INSERT INTO interference(job_type, co_job_type, slowdown_factor) VALUES (?, ?, ?)"
                        + " ON CONFLICT(job_type, co_job_type) DO UPDATE SET slowdown_factor = excluded.slowdown_factor",
                pair.jobType(),
                pair.gpuType(),
                slowdown);
    }

    private void run(String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private static String text(List<String> neighbours) {
        try {
            return JSON.writeValueAsString(neighbours);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static List<String> neighbours(String text) {
        try {
            return JSON.readValue(text, new TypeReference<List<String>>() {});
        } catch (JsonProcessingException unreadable) {
            return List.of();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException problem) {
            throw new StoreException("the database %s cannot be closed".formatted(file), problem);
        }
    }
}
