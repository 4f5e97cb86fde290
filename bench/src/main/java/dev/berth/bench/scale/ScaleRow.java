package dev.berth.bench.scale;

import java.util.Locale;

/**
 * One door in a cluster of one size.
 *
 * @param ready seconds from its start until it says so
 * @param idle resident MiB when it has read everything and nobody asks it anything
 * @param asked the same after all questions
 * @param live MiB on its heap that are still reachable then
 * @param trouble what went wrong, and then the figures behind it are missing; empty for nothing
 */
record ScaleRow(
        String door,
        int nodes,
        int pods,
        double ready,
        double idle,
        double asked,
        double live,
        double p50,
        double p99,
        String trouble) {
    static final String HEAD =
            "| door | nodes | pods | ready s | MiB idle | MiB after questions | of it live heap | p50 ms | p99 ms |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    static ScaleRow failed(String door, int nodes, int pods, String trouble) {
        return new ScaleRow(door, nodes, pods, 0, 0, 0, 0, 0, 0, trouble);
    }

    boolean whole() {
        return trouble.isEmpty();
    }

    String line() {
        if (!whole()) return "| %s | %,d | %,d | %s | | | | | |".formatted(door, nodes, pods, trouble);
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %,d | %.1f | %.0f | %.0f | %.0f | %.2f | %.2f |",
                door,
                nodes,
                pods,
                ready,
                idle,
                asked,
                live,
                p50,
                p99);
    }
}
