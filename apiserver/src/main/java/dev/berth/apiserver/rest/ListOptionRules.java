package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;

/** Which options of a list or a watch do not go together. */
final class ListOptionRules {
    private ListOptionRules() {}

    static void checkMatch(String match, Query query, String token) {
        String version = query.text("resourceVersion");
        if (version.isEmpty()) {
            throw ApiException.invalidListOptions(
                    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!token.isEmpty()) {
            throw ApiException.invalidListOptions(
                    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided");
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw ApiException.invalidListOptions(
                    "resourceVersionMatch: Unsupported value: \"%s\": supported values: \"Exact\", \"NotOlderThan\""
                            .formatted(match));
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw ApiException.invalidListOptions(
                    "resourceVersionMatch: Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }

    static void checkWatch(Query query) {
        String match = query.text("resourceVersionMatch");
        boolean initial = query.has("sendInitialEvents");
        if (!match.isEmpty() && !initial) {
            throw ApiException.invalidListOptions(
                    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if (!initial) return;
        if (!match.equals("NotOlderThan")) {
            throw ApiException.invalidListOptions(
                    match.isEmpty()
                            ? "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"
                            : "resourceVersionMatch: Unsupported value: \"%s\": supported values: \"NotOlderThan\""
                                    .formatted(match));
        }
    }
}
