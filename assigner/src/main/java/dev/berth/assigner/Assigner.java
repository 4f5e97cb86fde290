package dev.berth.assigner;

import dev.berth.assigner.device.Gpus;
import dev.berth.assigner.page.DevicePage;
import dev.berth.assigner.place.Admissions;
import dev.berth.assigner.place.Desk;
import dev.berth.assigner.reservation.Promotions;
import dev.berth.assigner.reservation.Reservations;
import dev.berth.assigner.reservation.Upkeep;
import dev.berth.assigner.view.DeviceBoard;
import dev.berth.assigner.view.DeviceRoutes;
import dev.berth.assigner.wire.Assignment;
import dev.berth.core.Door;
import dev.berth.core.policy.Policy;
import dev.berth.kube.Cluster;
import dev.berth.kube.cache.Cache;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Listing;
import dev.berth.kube.cache.Pods;
import dev.berth.kube.cache.SlimNodes;
import dev.berth.kube.event.Events;
import dev.berth.kube.event.Happening;
import dev.berth.kube.fit.NodeRooms;
import dev.berth.kube.ledger.DoorCards;
import dev.berth.kube.ledger.NodeLedgers;
import dev.berth.web.admission.AdmissionRoute;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.function.Function;

/** The assigner at work: what it knows of the cluster, what it does by itself, and what it serves. */
public final class Assigner implements AutoCloseable {
    private static final String CONTROLLER = "berth.dev/assigner";

    private final Deque<Runnable> parts = new ArrayDeque<>();
    private final Cache<Node> nodes;
    private final Pods pods;
    private final Reservations reservations;
    private final Desk desk;
    private final DeviceRoutes devices;
    private final FinalizeRoute finalizing;
    private final AdmissionRoute mutate;
    private final Metrics metrics;
    private final Health health = new Health();
    private final Counter passedOver;

    private Assigner(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> ledgers,
            AssignerSettings settings,
            String instance,
            Metrics metrics,
            InstantSource clock) {
        this.metrics = metrics;
        this.passedOver = Counter.builder()
                .name("berth_assigner_unreadable_annotations_total")
                .help("Node annotations that could not be read, so that the node was passed over.")
                .register(metrics.registry());
        var events = Events.start(cluster, CONTROLLER, instance, clock, Events.Limits.STANDARD);
        parts.push(events::close);
        var gpus = new Gpus((node, why) -> complain(events, node, why));
        var rooms = new NodeRooms();
        this.nodes = Cache.of(cluster, Listing.of(Node.class), Map.of(), new SlimNodes());
        parts.push(nodes::close);
        this.pods = new Pods(cluster, Map.of(Upkeep.BY_RESERVATION, Upkeep::reservationOf));
        parts.push(pods::close);
        this.reservations = new Reservations(cluster, settings.claimsNamespace(), clock);
        parts.push(reservations::close);
        nodes.onChange(gpus::heard);
        nodes.onChange(rooms::heardNode);
        pods.onChange(rooms::heardPod);
        var cards = new DoorCards(
                Door.ASSIGNER, nodes, pods, node -> gpus.inventory().devices(node));
        var books = ledgers.apply(cards);
        cards.onChange(books::renamed);
        this.desk = Desk.open(
                cluster,
                books,
                new Desk.Knowledge(
                        gpus,
                        rooms,
                        reservations,
                        pods,
                        () -> nodes.synced() && pods.synced() && reservations.synced()),
                new Desk.Settings(settings.policy(), settings.patch(), settings.rhythm(), settings.patience()),
                metrics.registry(),
                clock);
        parts.push(desk::close);
        pods.onChange(change -> tell(events, settings.policy(), change));
        var board = new DeviceBoard(gpus, reservations, pods);
        nodes.onChange(_ -> board.touch());
        pods.onChange(change -> {
            if (!Upkeep.reservationOf(change.newest()).isEmpty()) {
                board.touch();
            }
        });
        reservations.onChange(_ -> board.touch());
        this.devices = new DeviceRoutes(board);
        this.finalizing = new FinalizeRoute(new Promotions(reservations, desk::changed), settings.finalizeToken());
        this.mutate = AdmissionRoute.within(
                        "/mutate",
                        AdmissionRoute.reviewCounter(metrics.registry(), "assigner"),
                        desk.admissions()::admit)
                .whenMalformed(Admissions::malformed);
        measure(gpus);
        watchHealth();
    }

    /**
     * Begins to work; serves whoever its routes are given to.
     *
     * @param ledgers opens the ledgers, given what is known of nodes' GPUs
     * @param instance how events name this replica
     */
    public static Assigner start(
            Cluster cluster,
            Function<DoorCards, NodeLedgers> ledgers,
            AssignerSettings settings,
            String instance,
            Metrics metrics,
            InstantSource clock) {
        var assigner = new Assigner(cluster, ledgers, settings, instance, metrics, clock);
        assigner.nodes.start();
        assigner.reservations.start();
        assigner.pods.start();
        return assigner;
    }

    /** Told when the pod is seen, by the replica that chose: while it is admitted there is no pod yet to tell about. */
    private void tell(Events events, Policy policy, Change<Pod> change) {
        if (change instanceof Change.Added<Pod>(var pod)) {
            Assignment.of(pod)
                    .filter(assignment -> desk.madeHere(assignment.reservation()))
                    .ifPresent(assignment -> events.tell(Happening.about(
                            pod,
                            Happening.Type.NORMAL,
                            "Assigned",
                            "Reserve",
                            "reserved on %s: %s; the choice of the policy %s"
                                    .formatted(
                                            assignment.node(), String.join(", ", assignment.uuids()), policy.name()))));
        }
    }

    private void complain(Events events, Node node, String why) {
        passedOver.inc();
        events.tell(Happening.about(
                node,
                Happening.Type.WARNING,
                "UnreadableDeviceLabels",
                "ReadDeviceLabels",
                "the annotation fudo.org/gpu.device.labels cannot be read, no GPU of this node is given out: " + why));
    }

    private void measure(Gpus gpus) {
        GaugeWithCallback.builder()
                .name("berth_assigner_unreadable_nodes")
                .help("Nodes that are passed over because their annotation cannot be read.")
                .callback(callback -> callback.call(gpus.unreadable().size()))
                .register(metrics.registry());
        GaugeWithCallback.builder()
                .name("berth_assigner_reservations")
                .help("Leases in the claims namespace, by state: proposal (the pod is not seen yet) or active.")
                .labelNames("state")
                .callback(callback -> {
                    var all = reservations.all();
                    long proposals = all.stream()
                            .filter(reservation -> reservation.proposal())
                            .count();
                    callback.call((double) proposals, "proposal");
                    callback.call((double) (all.size() - proposals), "active");
                })
                .register(metrics.registry());
    }

    private void watchHealth() {
        health.ready("nodes", () -> Health.waiting(nodes.synced(), "nodes"))
                .ready("pods", () -> Health.waiting(pods.synced(), "pods"))
                .ready("leases", () -> Health.waiting(reservations.synced(), "leases"))
                .ready("ledger", () -> Health.waiting(desk.synced(), "node ledgers"));
    }

    public Health health() {
        return health;
    }

    /** What is served to the API server. */
    public void apiRoutes(HttpRouting.Builder routes) {
        metrics.observe(routes);
        routes.any("/mutate", onlyPost());
        mutate.addTo(routes);
        commonRoutes(routes);
    }

    /** What is served to people, and to those who finalize. */
    public void uiRoutes(HttpRouting.Builder routes) {
        metrics.observe(routes);
        new DevicePage(devices::all).addTo(routes);
        commonRoutes(routes);
    }

    private void commonRoutes(HttpRouting.Builder routes) {
        devices.addTo(routes);
        finalizing.addTo(routes);
        health.addTo(routes);
        metrics.addTo(routes);
        routes.any(notFound());
    }

    /** Another method at a path that is served is to be as unknown as another path. */
    private static Handler onlyPost() {
        return (request, response) -> {
            if (request.prologue().method().text().equals("POST")) {
                response.next();
            } else {
                notFound().handle(request, response);
            }
        };
    }

    private static Handler notFound() {
        return (request, response) -> {
            response.status(Status.NOT_FOUND_404);
            response.headers().remove(HeaderNames.CONTENT_TYPE);
            response.send("not found".getBytes(StandardCharsets.UTF_8));
        };
    }

    /** Ends the answers that have no end of their own; for a server that is about to stop. */
    public void endStreams() {
        devices.close();
    }

    @Override
    public void close() {
        endStreams();
        while (!parts.isEmpty()) {
            parts.pop().run();
        }
    }
}
