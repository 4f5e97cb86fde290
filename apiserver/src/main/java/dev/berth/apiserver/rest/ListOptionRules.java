package dev.berth.apiserver.rest;

import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** Which options of a list or a watch do not go together. */
final class ListOptionRules {
    private static final String MATCH = "resourceVersionMatch";
    private static final String NEEDS_NOT_OLDER =
            "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";

    private ListOptionRules() {}

    static void checkMatch(String match, Query query, String token) {
        String version = query.text("resourceVersion");
        if (version.isEmpty()) {
            throw forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
        }
        if (!token.isEmpty()) {
            throw forbidden("resourceVersionMatch is forbidden when continue is provided");
        }
        if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
            throw refused(FieldError.notSupported(MATCH, match, List.of("Exact", "NotOlderThan", "")));
        }
        if (match.equals("Exact") && version.equals("0")) {
            throw forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        }
    }

    static void checkWatch(Query query) {
        String match = query.text("resourceVersionMatch");
        boolean initial = query.has("sendInitialEvents");
        if (!query.text("continue").isEmpty())
            throw forbidden("resourceVersionMatch is forbidden when continue is provided");
        if (!match.isEmpty() && !initial) {
            throw forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        }
        if (!initial) return;
        if (match.isEmpty()) throw forbidden(NEEDS_NOT_OLDER);
        if (!match.equals("NotOlderThan")) {
            throw ApiException.invalidOptions(
                    "ListOptions",
                    List.of(
                            FieldError.forbidden(MATCH, NEEDS_NOT_OLDER),
                            FieldError.notSupported(MATCH, match, List.of("NotOlderThan"))));
        }
    }

    static void checkList(Query query) {
        if (!query.has("sendInitialEvents")) return;
        throw refused(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    }

    private static ApiException forbidden(String why) {
        return refused(FieldError.forbidden(MATCH, why));
    }

    private static ApiException refused(FieldError error) {
        return ApiException.invalidOptions("ListOptions", List.of(error));
    }
}
