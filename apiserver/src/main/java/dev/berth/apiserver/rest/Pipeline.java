package dev.berth.apiserver.rest;

import dev.berth.apiserver.admission.Admission;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.Discovery;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.store.Store;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/** The verbs with the rooms that they ask, and the two ways in: over HTTP and from within. */
public final class Pipeline {
    private final Front front;
    private final Api api;

    public Pipeline(
            LiveCatalog catalog,
            Store store,
            Rules rules,
            Admission admission,
            InstantSource clock,
            BooleanSupplier stopping) {
        var rooms = new Rooms(catalog, new Repository(store), rules, admission, clock, Names::uid);
        var verbs = new Verbs(rooms);
        this.api = new InProcessApi(rooms, verbs);
        this.front = new Front(rooms, verbs, new Plain(new Discovery(catalog)), stopping);
    }

    public Front front() {
        return front;
    }

    public Api api() {
        return api;
    }
}
