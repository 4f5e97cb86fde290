package dev.berth.advisor.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A database that can keep what was learned; what its kind of SQL does not share with the others is here. */
public sealed interface Database permits SqliteFile, PostgresServer {
    /** As people know it; without its password. */
    String name();

    /** A new connection, not yet in a transaction. */
    Connection connect() throws SQLException;

    /** What is said on a new connection before the first transaction. */
    List<String> greeting();

    /** How a table declares a key that counts up. */
    String countingKey();

    /** A statement that lets one writer in at a time, from here to the end of the transaction. */
    String lock();
}
