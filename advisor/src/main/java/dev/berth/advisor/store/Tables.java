package dev.berth.advisor.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.advisor.model.Ema.Estimate;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The statements, in the SQL that SQLite and PostgreSQL share. */
final class Tables {
    static final int MOST_OBSERVATIONS = 10_000;
    /** No cluster keeps a finished pod that long: about it nobody tells again. */
    private static final double REMEMBERED_SECONDS = 90 * 86_400.0;

    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> DEFINITIONS = List.of("""
            CREATE TABLE IF NOT EXISTS stats(job_type TEXT, gpu_type TEXT, mean_runtime DOUBLE PRECISION,
            variance DOUBLE PRECISION, count BIGINT, last_updated DOUBLE PRECISION, PRIMARY KEY(job_type, gpu_type))""", """
            CREATE TABLE IF NOT EXISTS interference(job_type TEXT, co_job_type TEXT, slowdown_factor DOUBLE PRECISION,
            PRIMARY KEY(job_type, co_job_type))""", """
            CREATE TABLE IF NOT EXISTS observations(id %s, job_type TEXT, gpu_type TEXT, seconds DOUBLE PRECISION,
            colocated TEXT, observed DOUBLE PRECISION)""", """
            CREATE TABLE IF NOT EXISTS runs(run TEXT PRIMARY KEY, observed DOUBLE PRECISION)""", """
            CREATE TABLE IF NOT EXISTS probes(id BIGINT PRIMARY KEY, probed BIGINT)""");

    private Tables() {}

    /** Two that come at the same moment make them one after the other. */
    static void make(Connection connection, Database database) throws SQLException {
        try (var statement = connection.createStatement()) {
            if (database instanceof PostgresServer) statement.execute(database.lock());
            for (var definition : DEFINITIONS) {
                statement.execute(definition.formatted(database.countingKey()));
            }
            connection.commit();
        }
    }

    private interface Reader<T> {
        T read(ResultSet rows) throws SQLException;
    }

    private static <T> T query(Connection connection, String sql, Reader<T> reader, Object... values)
            throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            try (var rows = statement.executeQuery()) {
                return reader.read(rows);
            }
        }
    }

    private static void run(Connection connection, String sql, Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    static long newest(Connection connection) throws SQLException {
        return query(connection, "SELECT COALESCE(MAX(id), 0) FROM observations", Tables::number);
    }

    private static long number(ResultSet rows) throws SQLException {
        if (!rows.next()) throw new SQLException("the database gave no number");
        return rows.getLong(1);
    }

    static Known known(Connection connection) throws SQLException {
        return new Known(estimates(connection), slowdowns(connection), observations(connection, 0));
    }

    private static Map<Pair, Estimate> estimates(Connection connection) throws SQLException {
        return query(
                connection,
                "SELECT job_type, gpu_type, mean_runtime, variance, count FROM stats"
                        + " WHERE mean_runtime > 0 AND variance > 0 ORDER BY last_updated, job_type, gpu_type",
                rows -> {
                    Map<Pair, Estimate> estimates = new LinkedHashMap<>();
                    while (rows.next()) {
                        var estimate = new Estimate(rows.getDouble(3), rows.getDouble(4), rows.getLong(5));
                        // An infinite one never comes back to earth.
                        if (Double.isFinite(estimate.mean()) && Double.isFinite(estimate.variance())) {
                            estimates.put(new Pair(rows.getString(1), rows.getString(2)), estimate);
                        }
                    }
                    return estimates;
                });
    }

    private static Map<Pair, Double> slowdowns(Connection connection) throws SQLException {
        return query(
                connection,
                "SELECT job_type, co_job_type, slowdown_factor FROM interference ORDER BY job_type, co_job_type",
                rows -> {
                    Map<Pair, Double> slowdowns = new LinkedHashMap<>();
                    while (rows.next()) {
                        slowdowns.put(new Pair(rows.getString(1), rows.getString(2)), rows.getDouble(3));
                    }
                    return slowdowns;
                });
    }

    static List<Observation> observations(Connection connection, long after) throws SQLException {
        return query(
                connection,
                "SELECT job_type, gpu_type, seconds, colocated FROM observations WHERE id > ? ORDER BY id",
                rows -> {
                    List<Observation> observations = new ArrayList<>();
                    while (rows.next()) {
                        observations.add(new Observation(
                                rows.getString(1),
                                rows.getString(2),
                                rows.getDouble(3),
                                neighbours(rows.getString(4))));
                    }
                    return observations;
                },
                after);
    }

    /** Whether this run was not told of before; it is from now on. */
    static boolean isNew(Connection connection, String run, double seconds) throws SQLException {
        try (var statement = connection.prepareStatement(
                "INSERT INTO runs(run, observed) VALUES (?, ?) ON CONFLICT(run) DO NOTHING")) {
            statement.setString(1, run);
            statement.setDouble(2, seconds);
            return statement.executeUpdate() == 1;
        }
    }

    /** The observation's number. */
    static long insert(Connection connection, Observation observation, double seconds) throws SQLException {
        long number = query(
                connection,
                "INSERT INTO observations(job_type, gpu_type, seconds, colocated, observed) VALUES (?, ?, ?, ?, ?) RETURNING id",
                Tables::number,
                observation.jobType(),
                observation.gpuType(),
                observation.seconds(),
                text(observation.colocated()),
                seconds);
        run(connection, "DELETE FROM observations WHERE id <= ?", number - MOST_OBSERVATIONS);
        if (number % MOST_OBSERVATIONS == 0) {
            run(connection, "DELETE FROM runs WHERE observed < ?", seconds - REMEMBERED_SECONDS);
        }
        return number;
    }

    static void save(Connection connection, Pair pair, Estimate estimate, double seconds) throws SQLException {
        run(
                connection,
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

    static void save(Connection connection, Pair pair, double slowdown) throws SQLException {
        run(
                connection,
                "INSERT INTO interference(job_type, co_job_type, slowdown_factor) VALUES (?, ?, ?)"
                        + " ON CONFLICT(job_type, co_job_type) DO UPDATE SET slowdown_factor = excluded.slowdown_factor",
                pair.jobType(),
                pair.gpuType(),
                slowdown);
    }

    static void forget(Connection connection, Pair pair) throws SQLException {
        run(connection, "DELETE FROM stats WHERE job_type = ? AND gpu_type = ?", pair.jobType(), pair.gpuType());
    }

    static void forgetNeighbour(Connection connection, Pair pair) throws SQLException {
        run(
                connection,
                "DELETE FROM interference WHERE job_type = ? AND co_job_type = ?",
                pair.jobType(),
                pair.gpuType());
    }

    static void probe(Connection connection) throws SQLException {
        run(
                connection,
                "INSERT INTO probes(id, probed) VALUES (1, 1) ON CONFLICT(id) DO UPDATE SET probed = probes.probed + 1");
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
}
