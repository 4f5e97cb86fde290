package dev.berth.advisor.store;

import dev.berth.advisor.model.Ema.Changes;
import dev.berth.advisor.model.Ema.Estimate;
import dev.berth.advisor.model.Observation;
import dev.berth.advisor.model.Pair;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The published tables in a database, and beside them the observations themselves: the order in which they were written
 * is the one truth that every replica learns from. After a failure the connection is thrown away; the next call makes a
 * new one.
 */
public final class SqlStore implements Store {
    private final Database database;
    private @Nullable Connection connection;
    /** The number of the last observation that the learner knows of; below 0 when it knows nothing. */
    private long last = -1;

    private SqlStore(Database database) {
        this.database = database;
    }

    /**
     * A file must be usable at once; a server may come later.
     *
     * @throws StoreException if the file cannot be opened, made or written
     */
    public static SqlStore open(Database database) {
        var store = new SqlStore(database);
        if (database instanceof SqliteFile) store.check();
        return store;
    }

    /** What is done between the beginning of a transaction and its commit. */
    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private <T> T transaction(String verb, Work<T> work) {
        try {
            var open = open();
            var result = work.in(open);
            open.commit();
            return result;
        } catch (SQLException problem) {
            discard(problem);
            throw new StoreException(
                    "the database %s cannot be %s: %s".formatted(name(), verb, firstLine(problem)), problem);
        }
    }

    private static String firstLine(SQLException problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("");
    }

    private Connection open() throws SQLException {
        var open = connection;
        if (open != null) return open;
        open = database.connect();
        try (var statement = open.createStatement()) {
            for (var sentence : database.greeting()) {
                statement.execute(sentence);
            }
            open.setAutoCommit(false);
            Tables.make(open, database);
        } catch (SQLException problem) {
            open.close();
            throw problem;
        }
        connection = open;
        return open;
    }

    private void discard(SQLException problem) {
        var broken = connection;
        connection = null;
        if (broken == null) return;
        try (broken) {
            broken.rollback();
        } catch (SQLException worse) {
            problem.addSuppressed(worse);
        }
    }

    @Override
    public void read(Learner learner) {
        if (last >= 0 && transaction("read", Tables::newest) == last) return;
        transaction("read", open -> {
            lock(open);
            catchUp(open, learner);
            return true;
        });
    }

    private void lock(Connection open) throws SQLException {
        try (var statement = open.createStatement()) {
            statement.execute(database.lock());
        }
    }

    /** Under the lock nobody writes, and numbers rise in the order of the commits: what is above the last is news. */
    private void catchUp(Connection open, Learner learner) throws SQLException {
        long newest = Tables.newest(open);
        // Smaller than what was seen: this is another database. Too far ahead: some of the news are gone already.
        if (last < 0 || newest < last || newest - last > Tables.MOST_OBSERVATIONS) {
            learner.begin(Tables.known(open));
        } else if (newest > last) {
            Tables.observations(open, last).forEach(learner::hear);
        }
        last = newest;
    }

    @Override
    public boolean write(Observation observation, Learner learner, double seconds) {
        long number = transaction("written", open -> {
            lock(open);
            catchUp(open, learner);
            if (observation.run().isPresent()
                    && !Tables.isNew(open, observation.run().get(), seconds)) {
                return last;
            }
            long inserted = Tables.insert(open, observation, seconds);
            save(open, learner.consequences(observation), seconds);
            return inserted;
        });
        boolean news = number != last;
        last = number;
        return news;
    }

    private static void save(Connection open, Changes changes, double seconds) throws SQLException {
        for (Map.Entry<Pair, Estimate> entry : changes.estimates().entrySet()) {
            Tables.save(open, entry.getKey(), entry.getValue(), seconds);
        }
        for (var entry : changes.slowdowns().entrySet()) {
            if (entry.getValue() > 0) Tables.save(open, entry.getKey(), entry.getValue());
        }
        for (var pair : changes.forgotten()) {
            Tables.forget(open, pair);
        }
        for (var pair : changes.forgottenNeighbours()) {
            Tables.forgetNeighbour(open, pair);
        }
    }

    @Override
    public void check() {
        transaction("written", open -> {
            Tables.probe(open);
            return true;
        });
    }

    @Override
    public String name() {
        return database.name();
    }

    @Override
    public void close() {
        var open = connection;
        connection = null;
        if (open == null) return;
        try {
            open.close();
        } catch (SQLException problem) {
            throw new StoreException("the database %s cannot be closed".formatted(name()), problem);
        }
    }
}
