package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Store;
import java.util.function.Function;

/** Resource versions as clients send them. */
final class Revisions {
    private Revisions() {}

    /** 0 for none; the number otherwise. */
    static long ofList(String text) {
        return parse(text, why -> ApiException.badRequest("invalid resource version: " + why));
    }

    /** The same for a watch, which Kubernetes refuses without a reason. */
    static long ofWatch(String text) {
        return parse(text, why -> new ApiException(500, "", why, null));
    }

    private static long parse(String text, Function<String, ApiException> refusal) {
        if (text.isEmpty()) return 0;
        try {
            long revision = Long.parseUnsignedLong(text);
            if (revision >= 0) return revision;
        } catch (NumberFormatException _) {
            // answered below
        }
        throw refusal.apply("resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
                .formatted(text, text));
    }

    /** A client that knows a revision that is not there yet has talked to another server. */
    static void requireReached(Store store, long revision) {
        if (revision > store.revision()) throw ApiException.tooLarge(revision, store.revision());
    }
}
