package dev.berth.web;

/**
 * How many connections a listener may hold without harm to its process, by what the process is given: an eighth of its
 * heap, at what a silent connection costs in buffers and a waiting thread, and half of the files that it may open.
 * Helidon 4.5 ends a listener for good when there is no file left for a connection that it accepts.
 */
final class Capacity {
    private static final int PLAIN_BYTES = 24 << 10;
    private static final int TLS_BYTES = 64 << 10;
    private static final int LEAST = 16;

    private Capacity() {}

    /** @param listeners how many share it */
    static int ofListener(boolean tls, int listeners) {
        long byMemory = Runtime.getRuntime().maxMemory() / 8 / (tls ? TLS_BYTES : PLAIN_BYTES);
        long byFiles = OpenFiles.limit().orElse(Integer.MAX_VALUE) / 2;
        return (int) Math.max(LEAST, Math.min(Math.min(byMemory, byFiles) / listeners, Integer.MAX_VALUE / 2));
    }
}
