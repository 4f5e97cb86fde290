package dev.berth.extender;

import dev.berth.core.Device;
import dev.berth.core.Door;
import dev.berth.extender.board.Board;
import dev.berth.extender.board.Slim;
import dev.berth.extender.place.Desk;
import dev.berth.extender.quota.Quotas;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.cache.SlimPods;
import dev.berth.kube.event.Events;
import dev.berth.kube.ledger.DoorCards;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.helidon.webserver.http.HttpRouting;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The extender at work: what it knows of the cluster, what it does by itself, and what it serves. */
public final class Extender implements AutoCloseable {
    private static final String CONTROLLER = "berth.dev/extender";
    private static final String QUOTA_UNREAD = "GPU quota has not been synced, please retry later";

    private final Deque<Runnable> parts = new ArrayDeque<>();
    private final Cache<Node> nodes;
    private final Pods pods;
    private final Quotas quotas;
    private final Desk desk;
    private final SchedulerRoutes routes;
    private final QuotaRoute quotaRoute;
    private final Metrics metrics;
    private final Health health = new Health();

    private Extender(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> ledgers,
            ExtenderSettings settings,
            String instance,
            String version,
            Metrics metrics,
            InstantSource clock) {
        this.metrics = metrics;
        var events = Events.start(cluster, CONTROLLER, instance, clock, Events.Limits.STANDARD);
        parts.push(events::close);
        var labels = settings.quota().labels();
        var board = new Board(labels);
        this.nodes = Cache.of(cluster, Listing.of(Node.class), Map.of(), node -> Slim.node(node, labels));
        parts.push(nodes::close);
        nodes.onChange(board::heardNode);
        Consumer<Pod> slim = Slim::pod;
        this.pods = new Pods(cluster, Map.of(), slim.andThen(new SlimPods()));
        parts.push(pods::close);
        this.quotas = new Quotas(cluster, settings.quota(), events, metrics.registry());
        parts.push(quotas::close);
        var cards = new DoorCards(
                Door.EXTENDER,
                nodes,
                pods,
                node -> Device.numbered(node, board.devices(node).orElse(0)));
        var books = ledgers.apply(cards);
        cards.onChange(books::renamed);
        this.desk = Desk.open(
                cluster, books, board, pods, quotas, events, settings, this::notReady, metrics.registry(), clock);
        parts.push(desk::close);
        this.routes = new SchedulerRoutes(desk.predicates(), desk.verbs(), settings.volcano(), version);
        this.quotaRoute = new QuotaRoute(board, quotas::rules, desk::workload);
        quotaRoute.measure(metrics.registry());
        health.ready("nodes", () -> Health.waiting(nodes.synced(), "nodes"))
                .ready("pods", () -> Health.waiting(pods.synced(), "pods"))
                .ready("quota", () -> Health.waiting(quotas.synced(), "quotas"))
                .ready("ledger", () -> Health.waiting(desk.synced(), "node ledgers"));
    }

    /**
     * Begins to work; serves whoever its routes are given to.
     *
     * @param ledgers opens the ledgers, given what is known of nodes' GPUs
     * @param instance how events name this replica
     * @param version what {@code GET /version} says
     */
    public static Extender start(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> ledgers,
            ExtenderSettings settings,
            String instance,
            String version,
            Metrics metrics,
            InstantSource clock) {
        var extender = new Extender(cluster, ledgers, settings, instance, version, metrics, clock);
        extender.nodes.start();
        extender.quotas.start();
        extender.pods.start();
        return extender;
    }

    /** Why no question can be answered yet. */
    private Optional<String> notReady() {
        return Health.waiting(nodes.synced(), "nodes")
                .or(() -> Health.waiting(pods.synced(), "pods"))
                .or(() -> Health.waiting(desk.synced(), "node ledgers"))
                .map(why -> "the extender has just started: " + why + ", please retry later")
                .or(() -> quotas.synced() ? Optional.empty() : Optional.of(QUOTA_UNREAD));
    }

    public Health health() {
        return health;
    }

    /** What is served to schedulers and to people. */
    public void routes(HttpRouting.Builder builder) {
        metrics.observe(builder);
        routes.addTo(builder);
        quotaRoute.addTo(builder);
        health.addTo(builder);
        metrics.addTo(builder);
        SchedulerRoutes.addRestTo(builder);
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            parts.pop().run();
        }
    }
}
