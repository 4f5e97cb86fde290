package dev.berth.apiserver.rest;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Names and uids that the server makes up. */
final class Names {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final int SUFFIX = 5;
    private static final int LONGEST_BASE = 63 - SUFFIX;

    private Names() {}

    static String generate(String base) {
        var random = ThreadLocalRandom.current();
        var name = new StringBuilder(base.length() > LONGEST_BASE ? base.substring(0, LONGEST_BASE) : base);
        for (int i = 0; i < SUFFIX; i++) name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        return name.toString();
    }

    /** A random uid in the form of a version 4 UUID: it need not be hard to guess, only never the same twice. */
    static String uid() {
        var random = ThreadLocalRandom.current();
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & ~0xC000_0000_0000_0000L) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }
}
