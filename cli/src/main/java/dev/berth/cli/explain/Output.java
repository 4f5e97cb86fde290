package dev.berth.cli.explain;

/** What is printed. */
enum Output {
    TEXT,
    JSON
}
