package dev.berth.cli.explain;

/** What is printed. */
public enum Output {
    TEXT,
    JSON
}
