package dev.berth.apiserver.rest;

import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.store.Change;
import dev.berth.apiserver.store.Cursor;
import dev.berth.apiserver.store.ExpiredException;
import dev.berth.apiserver.store.Snapshot;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.Stored;
import dev.berth.apiserver.store.Table;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** Tells one client what happens to a table, until it goes, is too slow, or its time is over. */
final class Watching {
    private static final byte[] ADDED = bytes("{\"type\":\"ADDED\",\"object\":");
    private static final byte[] MODIFIED = bytes("{\"type\":\"MODIFIED\",\"object\":");
    private static final byte[] DELETED = bytes("{\"type\":\"DELETED\",\"object\":");
    private static final byte[] END = bytes("}\n");
    private static final Duration BOOKMARK_EVERY = Duration.ofMinutes(1);
    /** A first event is sent at once; those that follow on its heels go together, a packet each so long. */
    private static final Duration GATHER_FOR = Duration.ofMillis(5);

    private static final Duration LOOK_AROUND_EVERY = Duration.ofSeconds(1);

    private final Store store;
    private final ResourceType type;
    private final View view;
    private final Selection selection;
    private final boolean bookmarks;
    private final boolean initialEvents;
    private final boolean markInitialEnd;
    private final long from;
    private final Duration patience;
    private final BooleanSupplier stopping;

    Watching(Store store, ResourceType type, View view, Selection selection, Query query, BooleanSupplier stopping) {
        ListOptionRules.checkWatch(query);
        this.store = store;
        this.type = type;
        this.view = view;
        this.selection = selection;
        this.stopping = stopping;
        this.bookmarks = query.flag("allowWatchBookmarks");
        this.from = Revisions.ofWatch(query.text("resourceVersion"));
        this.initialEvents = query.has("sendInitialEvents") ? query.flag("sendInitialEvents") : from == 0;
        this.markInitialEnd = query.flag("sendInitialEvents") && bookmarks;
        long seconds = query.number("timeoutSeconds", 0);
        this.patience = seconds > 0
                ? Duration.ofSeconds(seconds)
                : Duration.ofSeconds(1800 + ThreadLocalRandom.current().nextInt(1800));
    }

    void run(Table table, OutputStream out) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            Cursor cursor = begin(table, out);
            out.flush();
            follow(cursor, out, deadline);
        } catch (ExpiredException expired) {
            error(out, ApiException.expired("too old resource version: %d (%d)".formatted(from, expired.oldest())));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        out.flush();
    }

    private Cursor begin(Table table, OutputStream out) throws IOException, ExpiredException {
        if (!initialEvents) {
            return store.follow(table, from == 0 ? store.snapshot(table).revision() : from);
        }
        Snapshot snapshot = store.snapshot(table);
        snapshot.visit("", selection.prefix(), (key, stored) -> {
            if (selection.matches(key, stored)) event(out, ADDED, stored);
            return true;
        });
        if (markInitialEnd) bookmark(out, snapshot.revision(), true);
        return store.follow(table, snapshot.revision());
    }

    private void follow(Cursor cursor, OutputStream out, long deadline)
            throws IOException, ExpiredException, InterruptedException {
        long nextBookmark = System.nanoTime() + BOOKMARK_EVERY.toNanos();
        long lastFlush = System.nanoTime() - GATHER_FOR.toNanos();
        boolean unsent = false;
        while (!stopping.getAsBoolean()) {
            Optional<Change> change = cursor.poll();
            if (change.isEmpty()) {
                if (unsent) {
                    long wait = lastFlush + GATHER_FOR.toNanos() - System.nanoTime();
                    if (wait > 0) {
                        Thread.sleep(Duration.ofNanos(wait));
                        continue;
                    }
                    out.flush();
                    lastFlush = System.nanoTime();
                    unsent = false;
                }
                long left = Math.min(deadline, nextBookmark) - System.nanoTime();
                change = cursor.next(Duration.ofNanos(Math.min(left, LOOK_AROUND_EVERY.toNanos())), stopping);
            }
            if (change.isPresent()) unsent |= tell(change.get(), out);
            long now = System.nanoTime();
            if (now - nextBookmark >= 0) {
                if (bookmarks) bookmarkIfCaughtUp(cursor, out);
                nextBookmark = now + BOOKMARK_EVERY.toNanos();
            }
            if (now - deadline >= 0) break;
        }
        if (bookmarks) bookmarkIfCaughtUp(cursor, out);
    }

    /** Whether there was anything to tell. */
    private boolean tell(Change change, OutputStream out) {
        if (change.revision() <= from) return false;
        boolean before = selection.matches(change.key(), change.before());
        boolean after = selection.matches(change.key(), change.after());
        if (after) event(out, before ? MODIFIED : ADDED, change.shown());
        else if (before) event(out, DELETED, change.departed());
        return before || after;
    }

    private void event(OutputStream out, byte[] start, Stored stored) {
        try {
            out.write(start);
            view.write(stored, out);
            out.write(END);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void bookmarkIfCaughtUp(Cursor cursor, OutputStream out) throws IOException {
        long revision = cursor.bookmark();
        if (revision > 0) bookmark(out, revision, false);
    }

    private void bookmark(OutputStream out, long revision, boolean initialEnd) throws IOException {
        String annotations = initialEnd ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "";
        out.write(bytes(
                "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":{\"resourceVersion\":\"%d\"%s}}}\n"
                        .formatted(type.kind(), type.apiVersion(), revision, annotations)));
        out.flush();
    }

    private static void error(OutputStream out, ApiException error) throws IOException {
        out.write(bytes("{\"type\":\"ERROR\",\"object\":"));
        out.write(Json.bytes(error.toStatus()));
        out.write(END);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
