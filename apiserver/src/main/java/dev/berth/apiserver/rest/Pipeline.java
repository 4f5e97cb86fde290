package dev.berth.apiserver.rest;

import dev.berth.apiserver.admission.Admission;
import dev.berth.apiserver.admission.Lookup;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.CustomValidation;
import dev.berth.apiserver.kinds.Decoder;
import dev.berth.apiserver.kinds.Discovery;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.OpenApi;
import dev.berth.apiserver.kinds.Tables;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.store.Store;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** The verbs with the rooms that they ask, and the two ways in: over HTTP and from within. */
public final class Pipeline implements AutoCloseable {
    private final Front front;
    private final Api api;
    private final Definitions definitions;

    /** @param admission made from what it may look up */
    public Pipeline(
            LiveCatalog catalog,
            Store store,
            Rules rules,
            Function<Lookup, Admission> admission,
            Gate gate,
            InstantSource clock,
            BooleanSupplier stopping) {
        var repository = new Repository(store);
        var rooms = new Rooms(
                catalog,
                new Decoder(catalog),
                new CustomValidation(catalog),
                new Tables(catalog, clock),
                repository,
                rules,
                admission.apply(new StoredLookup(catalog, repository)),
                clock,
                Names::uid);
        var verbs = new Verbs(rooms);
        this.api = new InProcessApi(rooms, verbs);
        this.definitions = new Definitions(catalog, rooms, verbs, api);
        var plain = new Plain(new Discovery(catalog), new OpenApi(catalog), store::trouble);
        this.front = new Front(rooms, verbs, plain, gate, stopping);
    }

    public Front front() {
        return front;
    }

    public Api api() {
        return api;
    }

    @Override
    public void close() {
        definitions.close();
    }
}
