package dev.berth.cli.up;

import dev.berth.advisor.agent.AgentSettings;
import dev.berth.advisor.ask.LocalScorer;
import dev.berth.advisor.store.SqlStore;
import dev.berth.assigner.AssignerSettings;
import dev.berth.claims.scheduler.ClaimsScheduler;
import dev.berth.cli.door.AdvisorAgentDoor;
import dev.berth.cli.door.AdvisorWebhookDoor;
import dev.berth.cli.door.AssignerDoor;
import dev.berth.cli.door.ClaimsDoor;
import dev.berth.cli.door.ExtenderDoor;
import dev.berth.cli.door.Parts;
import dev.berth.cli.door.PinnerSchedulerDoor;
import dev.berth.cli.door.PinnerWebhookDoor;
import dev.berth.cli.door.Place;
import dev.berth.console.Beliefs;
import dev.berth.core.policy.Listed;
import dev.berth.extender.ExtenderSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.kube.scheduler.HttpExtender;
import dev.berth.kube.scheduler.NodeScheduler;
import dev.berth.kube.scheduler.Profile;
import dev.berth.pinner.scheduler.PinnerScheduler;
import dev.berth.pinner.webhook.WebhookSettings;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import dev.berth.web.tls.SelfSigned;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Doors that work side by side on one cluster, each on a free port, with their webhooks registered. */
public final class OpenDoors implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String SHARING_PROFILE = "gpu-admission-scheduler";
    private static final String PINNING = "gpu-scheduler";
    private static final String CLAIMING = "berth";
    private static final String LEASES = "kube-system";

    /**
     * What to open.
     *
     * @param defaultScheduler whether to place the pods that name no scheduler: not where a kube-scheduler does
     * @param webhookHost the address at which the API server finds this machine
     * @param instance how events name this process
     * @param agent how the advisor's agent works, and where it keeps what it learns
     */
    public record Settings(
            Set<Door> doors,
            boolean defaultScheduler,
            String webhookHost,
            String instance,
            String version,
            AgentSettings agent) {}

    private final Cluster cluster;
    private final Settings settings;
    private final InstantSource clock;
    private final SelfSigned certificate;
    private final Webhooks webhooks;
    private final Parts parts = new Parts();
    private final List<Health> healths = new ArrayList<>();
    private final Map<Door, String> addresses = new LinkedHashMap<>();

    private OpenDoors(Cluster cluster, Settings settings, InstantSource clock) {
        this.cluster = cluster;
        this.settings = settings;
        this.clock = clock;
        this.certificate = SelfSigned.create(
                List.of("localhost", LOOPBACK, settings.webhookHost()).stream()
                        .distinct()
                        .toList(),
                clock);
        this.webhooks = new Webhooks(cluster, settings.webhookHost(), certificate.authorityPem());
    }

    /** Opens them; what is open already is closed again when one cannot be opened. */
    public static OpenDoors open(Cluster cluster, Settings settings, InstantSource clock) {
        var doors = new OpenDoors(cluster, settings, clock);
        try {
            doors.openAll();
            return doors;
        } catch (RuntimeException failed) {
            doors.close();
            throw failed;
        }
    }

    private void openAll() {
        if (has(Door.ASSIGNER)) openAssigner();
        var extender = has(Door.EXTENDER) ? Optional.of(openExtender()) : Optional.<ExtenderDoor>empty();
        if (has(Door.ADVISOR)) openAdvisor();
        if (has(Door.PINNER)) openPinner();
        if (has(Door.CLAIMS)) openClaims();
        openScheduler(extender);
    }

    private boolean has(Door door) {
        return settings.doors().contains(door);
    }

    private void openAssigner() {
        var door = parts.keep(AssignerDoor.open(
                cluster,
                new AssignerDoor.Settings(
                        AssignerSettings.DEFAULT,
                        new LedgerFlags(),
                        settings.instance(),
                        webhookPlace(),
                        Place.plain(LOOPBACK, 0)),
                new Metrics(),
                clock));
        healths.add(door.health());
        webhooks.assigner(door.webhookPort());
        addresses.put(Door.ASSIGNER, "http://%s:%d/".formatted(LOOPBACK, door.pagePort()));
    }

    private ExtenderDoor openExtender() {
        var door = parts.keep(ExtenderDoor.open(
                cluster,
                new ExtenderDoor.Settings(
                        ExtenderSettings.DEFAULT,
                        new LedgerFlags(),
                        settings.instance(),
                        settings.version(),
                        Place.plain(LOOPBACK, 0),
                        Optional.empty()),
                new Metrics(),
                clock));
        healths.add(door.health());
        addresses.put(Door.EXTENDER, "http://%s:%d/scheduler".formatted(LOOPBACK, door.port()));
        return door;
    }

    private void openAdvisor() {
        var metrics = new Metrics();
        var agent = parts.keep(AdvisorAgentDoor.open(
                settings.agent(),
                SqlStore.open(settings.agent().database()),
                Optional.of(cluster),
                Place.plain(LOOPBACK, 0),
                new SplittableRandom(),
                metrics,
                clock));
        var webhook = parts.keep(AdvisorWebhookDoor.open(
                dev.berth.advisor.webhook.WebhookSettings.STANDARD,
                new LocalScorer(agent.agent()),
                Optional.of(cluster),
                settings.instance(),
                webhookPlace(),
                metrics,
                clock));
        healths.add(webhook.health());
        webhooks.advisor(webhook.port());
        addresses.put(Door.ADVISOR, "http://%s:%d/".formatted(LOOPBACK, agent.port()));
    }

    private void openPinner() {
        var metrics = new Metrics();
        var scheduler = parts.keep(PinnerSchedulerDoor.open(
                cluster,
                new PinnerSchedulerDoor.Settings(
                        new PinnerScheduler.Settings(
                                PINNING,
                                false,
                                settings.instance(),
                                Optional.of(
                                        new PinnerScheduler.Election(LEASES, PINNING, LeaderElection.Timing.STANDARD))),
                        new LedgerFlags(),
                        Place.plain(LOOPBACK, 0)),
                metrics,
                clock));
        var webhook =
                parts.keep(PinnerWebhookDoor.open(new WebhookSettings(PINNING, false, false), webhookPlace(), metrics));
        healths.add(scheduler.health());
        webhooks.pinner(webhook.port(), PINNING);
        addresses.put(Door.PINNER, "http://%s:%d/health".formatted(LOOPBACK, scheduler.port()));
    }

    private void openClaims() {
        var door = parts.keep(ClaimsDoor.open(
                cluster,
                new ClaimsDoor.Settings(
                        new ClaimsScheduler.Settings(
                                CLAIMING,
                                new Listed(),
                                settings.instance(),
                                LEASES,
                                CLAIMING + "-claims-scheduler",
                                LeaderElection.Timing.STANDARD),
                        new LedgerFlags(),
                        Place.plain(LOOPBACK, 0)),
                new Metrics(),
                clock));
        healths.add(door.health());
        addresses.put(Door.CLAIMS, "http://%s:%d/readyz".formatted(LOOPBACK, door.port()));
    }

    /** The extender's profile calls it over HTTP, as kube-scheduler would. */
    private void openScheduler(Optional<ExtenderDoor> extender) {
        var profiles = new ArrayList<Profile>();
        extender.map(door -> URI.create("http://%s:%d/scheduler/predicates".formatted(LOOPBACK, door.port())))
                .map(filter -> new HttpExtender(filter, List.of("tencent.com/vcuda-core")))
                .ifPresent(asked -> profiles.add(new Profile(SHARING_PROFILE, Optional.of(asked))));
        if (has(Door.SCHEDULER) && settings.defaultScheduler()) {
            profiles.add(Profile.plain("default-scheduler"));
            addresses.put(Door.SCHEDULER, "-");
        }
        if (!profiles.isEmpty()) {
            var scheduler = parts.keep(NodeScheduler.start(cluster, profiles, settings.instance(), clock));
            healths.add(new Health().ready("cluster", scheduler::notReady));
        }
    }

    /** Where the API server must reach it: on loopback if that is where the API server is, else everywhere. */
    private Place webhookPlace() {
        var address = Addresses.isLoopback(settings.webhookHost()) ? settings.webhookHost() : "0.0.0.0";
        return new Place(address, 0, Optional.of(certificate));
    }

    /** What the advisor believes, where its door is open. */
    public Beliefs beliefs() {
        return Optional.ofNullable(addresses.get(Door.ADVISOR))
                .map(URI::create)
                .map(Beliefs::of)
                .orElse(Beliefs.NONE);
    }

    /** Where a person looks at each open door. */
    public Map<Door, String> addresses() {
        return addresses;
    }

    /** Waits until every door knows its cluster; false if that takes longer. */
    public boolean awaitReady(Duration within) throws InterruptedException {
        long deadline = System.nanoTime() + within.toNanos();
        for (var health : healths) {
            if (!health.awaitReady(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
                return false;
            }
        }
        return true;
    }

    /** The webhooks first, however many doors there are by then: the API server asks nobody who is gone. */
    @Override
    public void close() {
        try {
            webhooks.close();
        } finally {
            parts.close();
        }
    }
}
