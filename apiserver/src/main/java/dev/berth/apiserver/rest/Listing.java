package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.ExpiredException;
import dev.berth.apiserver.store.Snapshot;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Reads many objects at once, in pages if asked, all of one moment. */
final class Listing {
    /**
     * One page.
     *
     * @param next the continue token; empty on the last page
     * @param remaining how many come after; negative when not known
     */
    record Page(List<Stored> items, long revision, String next, long remaining) {
        /** @param custom lists of custom objects say that there is no more, where others say nothing */
        ObjectNode metadata(boolean custom) {
            ObjectNode metadata = JsonNodeFactory.instance.objectNode();
            metadata.put("resourceVersion", Long.toString(revision));
            if (custom || !next.isEmpty()) metadata.put("continue", next);
            if (remaining >= 0) metadata.put("remainingItemCount", remaining);
            return metadata;
        }
    }

    private record Position(long revision, String from) {}

    private final Store store;

    Listing(Store store) {
        this.store = store;
    }

    Page list(Table table, Selection selection, Query query) {
        ListOptionRules.checkList(query);
        long limit = query.number("limit", 0);
        String token = query.text("continue");
        checkMatch(query, token);
        if (!token.isEmpty()) {
            Position position = position(token);
            Snapshot snapshot = resume(table, position);
            return page(snapshot, position.from, selection, limit);
        }
        return page(first(table, query), "", selection, limit);
    }

    private Snapshot first(Table table, Query query) {
        String wanted = query.text("resourceVersion");
        long revision = Revisions.ofList(wanted);
        if (revision == 0) {
            return store.snapshot(table);
        }
        Revisions.requireReached(store, revision);
        if (!query.text("resourceVersionMatch").equals("Exact")) return store.snapshot(table);
        try {
            return store.snapshotAt(table, revision);
        } catch (ExpiredException _) {
            throw ApiException.expired("The resourceVersion for the provided list is too old.");
        }
    }

    private Snapshot resume(Table table, Position position) {
        if (position.revision < 0) return store.snapshot(table);
        Revisions.requireReached(store, position.revision);
        try {
            return store.snapshotAt(table, position.revision);
        } catch (ExpiredException _) {
            throw ApiException.expiredContinue(token(-1, position.from));
        }
    }

    private static Page page(Snapshot snapshot, String from, Selection selection, long limit) {
        List<Stored> items = new ArrayList<>();
        String[] next = {""};
        String start = from.isEmpty() ? "" : selection.prefix() + from;
        snapshot.visit(start, selection.prefix(), (key, stored) -> {
            if (!selection.matches(key, stored)) return true;
            if (limit > 0 && items.size() == limit) {
                next[0] = key;
                return false;
            }
            items.add(stored);
            return true;
        });
        if (next[0].isEmpty()) return new Page(items, snapshot.revision(), "", -1);
        long remaining = selection.isPlain() ? snapshot.count(next[0], selection.prefix()) : -1;
        String token =
                token(snapshot.revision(), next[0].substring(selection.prefix().length()));
        return new Page(items, snapshot.revision(), token, remaining);
    }

    private static void checkMatch(Query query, String token) {
        String match = query.text("resourceVersionMatch");
        if (match.isEmpty()) {
            if (!token.isEmpty()
                    && !query.text("resourceVersion").isEmpty()
                    && !query.text("resourceVersion").equals("0")) {
                throw ApiException.badRequest("specifying resource version is not allowed when using continue");
            }
            return;
        }
        ListOptionRules.checkMatch(match, query, token);
    }

    private static Position position(String token) {
        try {
            JsonNode tree = Json.parse(Base64.getUrlDecoder().decode(token));
            String start = tree.path("start").asText("");
            if (start.isEmpty() || !tree.path("v").asText("").equals("meta.k8s.io/v1")) throw badToken();
            return new Position(tree.path("rv").asLong(0), start);
        } catch (IOException | IllegalArgumentException _) {
            throw badToken();
        }
    }

    private static ApiException badToken() {
        return ApiException.badRequest("invalid continue token: continue key is not valid");
    }

    private static String token(long revision, String start) {
        var tree = JsonNodeFactory.instance
                .objectNode()
                .put("v", "meta.k8s.io/v1")
                .put("rv", revision)
                .put("start", start);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(tree.toString().getBytes(StandardCharsets.UTF_8));
    }
}
