package dev.berth.kube.ledger;

import dev.berth.core.Holdings;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pages;
import dev.berth.kube.cache.SharedRead;
import dev.berth.kube.retry.Repeat;
import java.time.Duration;
import java.util.HashMap;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Ledgers in the API server, one object a node, which all replicas of all doors share. */
public final class SharedNodeLedgers implements NodeLedgers {
    private static final Duration READ_PATIENCE = Duration.ofSeconds(10);

    private final LedgerStore store;
    private final LedgerView view = new LedgerView();
    private final ConcurrentHashMap<NodeName, Lane> lanes = new ConcurrentHashMap<>();
    private final Turns turns;
    private final Cluster cluster;
    private final Cache<NodeLedger> cache;
    private final SharedRead<Ledger> everything = new SharedRead<>(this::readAll);

    /** Ledgers whose summary says how many devices are free where the function knows how many there are. */
    public SharedNodeLedgers(Cluster cluster, Function<NodeName, OptionalInt> deviceCount) {
        this(cluster, deviceCount, Turns.usual());
    }

    SharedNodeLedgers(Cluster cluster, Function<NodeName, OptionalInt> deviceCount, Turns turns) {
        this.cluster = cluster;
        this.turns = turns;
        this.store = new LedgerStore(cluster, deviceCount);
        this.cache = Cache.of(cluster, Listing.of(NodeLedger.class));
        cache.onChange(this::heard);
        cache.start();
    }

    @Override
    public <T> LedgerOutcome<T> decide(NodeName node, Decision<T> decision, Duration within) {
        return lane(node).decide(decision, within);
    }

    private Lane lane(NodeName node) {
        return lanes.computeIfAbsent(node, name -> new Lane(name, store, view, cluster.retry(), turns));
    }

    @Override
    public Holdings read(NodeName node) {
        var page = cluster.retry().call(Repeat.IF_UNKNOWN, READ_PATIENCE, () -> store.read(node));
        view.learn(node, page);
        return page.holdings();
    }

    @Override
    public Ledger ledger() {
        return view.ledger();
    }

    @Override
    public void onChange(Turned listener) {
        view.onChange(listener);
    }

    @Override
    public Ledger refresh(Duration within) {
        return everything.get(within);
    }

    private Ledger readAll() {
        var missing = new HashMap<>(view.ledger().byNode());
        for (var object : Pages.read(cluster, Listing.of(NodeLedger.class), READ_PATIENCE)) {
            var node = new NodeName(object.getMetadata().getName());
            missing.remove(node);
            view.learn(node, store.page(object));
        }
        // Known here and not listed: made since the list, or removed by hand. The node itself is asked which it is.
        missing.keySet().forEach(this::read);
        return view.ledger();
    }

    @Override
    public boolean synced() {
        return cache.synced();
    }

    private void heard(Change<NodeLedger> change) {
        var object = change.newest();
        var node = new NodeName(object.getMetadata().getName());
        // Most of what a watch brings is our own writing, which need not be read again.
        if (!view.knows(node, LedgerStore.version(object))) {
            var page = store.page(object);
            view.learn(node, change instanceof Change.Removed<NodeLedger> ? page.removed() : page);
        }
    }

    @Override
    public void close() {
        cache.close();
    }
}
