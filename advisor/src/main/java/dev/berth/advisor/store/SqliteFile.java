package dev.berth.advisor.store;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** A file of SQLite, with a write-ahead log that is on the disk before a transaction counts as done. */
public record SqliteFile(Path path) implements Database {
    @Override
    public String name() {
        return path.toString();
    }

    @Override
    public Connection connect() throws SQLException {
        var folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new SQLException("there is no folder " + folder);
        }
        return DriverManager.getConnection("jdbc:sqlite:" + path);
    }

    @Override
    public List<String> greeting() {
        return List.of("PRAGMA busy_timeout=2000", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL");
    }

    @Override
    public String countingKey() {
        return "INTEGER PRIMARY KEY AUTOINCREMENT";
    }

    /** Deletes nothing, but whoever may delete is alone. */
    @Override
    public String lock() {
        return "DELETE FROM stats WHERE 0";
    }
}
