package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Store;

/** Resource versions as clients send them. */
final class Revisions {
    private Revisions() {}

    /** 0 for none. */
    static long parse(String text) {
        if (text.isEmpty()) return 0;
        try {
            long revision = Long.parseUnsignedLong(text);
            if (revision >= 0) return revision;
        } catch (NumberFormatException _) {
            // answered below
        }
        throw ApiException.invalidVersion(text);
    }

    /** A client that knows a revision that is not there yet has talked to another server. */
    static void requireReached(Store store, long revision) {
        if (revision > store.revision()) throw ApiException.tooLarge(revision, store.revision());
    }
}
