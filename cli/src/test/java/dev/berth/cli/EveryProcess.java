package dev.berth.cli;

import dev.berth.advisor.agent.AgentSettings;
import dev.berth.advisor.ask.LocalScorer;
import dev.berth.advisor.observer.LocalEar;
import dev.berth.advisor.observer.Observer;
import dev.berth.advisor.store.SqlStore;
import dev.berth.assigner.AssignerSettings;
import dev.berth.claims.scheduler.ClaimsScheduler;
import dev.berth.cli.door.AdvisorAgentDoor;
import dev.berth.cli.door.AdvisorWebhookDoor;
import dev.berth.cli.door.AssignerDoor;
import dev.berth.cli.door.ClaimsDoor;
import dev.berth.cli.door.ExtenderDoor;
import dev.berth.cli.door.Operations;
import dev.berth.cli.door.PinnerSchedulerDoor;
import dev.berth.cli.door.PinnerWebhookDoor;
import dev.berth.cli.door.Place;
import dev.berth.cli.explain.ServedConsole;
import dev.berth.console.Beliefs;
import dev.berth.console.Guard;
import dev.berth.core.policy.Listed;
import dev.berth.extender.ExtenderSettings;
import dev.berth.kube.Cluster;
import dev.berth.kube.ConnectionSettings;
import dev.berth.kube.lease.LeaderElection;
import dev.berth.kube.ledger.LedgerFlags;
import dev.berth.pinner.scheduler.PinnerScheduler;
import dev.berth.pinner.webhook.WebhookSettings;
import dev.berth.web.HttpServer;
import dev.berth.web.WebSettings;
import dev.berth.web.health.Health;
import dev.berth.web.health.Metrics;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Each process that Berth can be run as, with metrics of its own, on one embedded API server. */
final class EveryProcess implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String LEASES = "kube-system";

    /** @param port where it serves {@code /metrics} */
    record Opened(Metrics metrics, int port) {}

    private final InstantSource clock = InstantSource.system();
    private final Deque<Runnable> parts = new ArrayDeque<>();
    private final Map<String, Opened> processes = new LinkedHashMap<>();
    private final OwnCluster own;
    private final Cluster cluster;

    EveryProcess(Path folder) {
        own = kept(
                OwnCluster.start(new OwnCluster.Settings(0, Optional.empty(), 4, 8, true), clock), OwnCluster::close);
        cluster = kept(Cluster.connect(new ConnectionSettings.At(URI.create(own.url()))), Cluster::close);
        openAssigner();
        openExtender();
        openAdvisor(folder);
        openPinner();
        openClaims();
        openConsole();
    }

    /** By the words after {@code berth} on the command line. */
    Map<String, Opened> processes() {
        return processes;
    }

    int port(String process) {
        return Objects.requireNonNull(processes.get(process), process).port();
    }

    Cluster cluster() {
        return cluster;
    }

    private static Place anywhere() {
        return Place.plain(LOOPBACK, 0);
    }

    private <T> T kept(T part, Consumer<T> close) {
        parts.push(() -> close.accept(part));
        return part;
    }

    private void openAssigner() {
        var metrics = new Metrics();
        var settings =
                new AssignerDoor.Settings(AssignerSettings.DEFAULT, new LedgerFlags(), "test", anywhere(), anywhere());
        var door = kept(AssignerDoor.open(cluster, settings, metrics, clock), AssignerDoor::close);
        processes.put("assigner", new Opened(metrics, door.webhookPort()));
    }

    private void openExtender() {
        var metrics = new Metrics();
        var settings = new ExtenderDoor.Settings(
                ExtenderSettings.DEFAULT, new LedgerFlags(), "test", "test", anywhere(), Optional.empty());
        var door = kept(ExtenderDoor.open(cluster, settings, metrics, clock), ExtenderDoor::close);
        processes.put("extender", new Opened(metrics, door.port()));
    }

    private void openAdvisor(Path folder) {
        var agentMetrics = new Metrics();
        var settings = AgentSettings.of(
                Map.of("SCHEDULER_SQLITE_PATH", folder.resolve("advisor.db").toString()));
        var agent = kept(
                AdvisorAgentDoor.open(
                        settings,
                        SqlStore.open(settings.database()),
                        Optional.empty(),
                        anywhere(),
                        new SplittableRandom(1),
                        agentMetrics,
                        clock),
                AdvisorAgentDoor::close);
        processes.put("advisor agent", new Opened(agentMetrics, agent.port()));
        var webhookMetrics = new Metrics();
        var webhook = kept(
                AdvisorWebhookDoor.open(
                        dev.berth.advisor.webhook.WebhookSettings.STANDARD,
                        new LocalScorer(agent.agent()),
                        Optional.of(cluster),
                        "test",
                        anywhere(),
                        webhookMetrics,
                        clock),
                AdvisorWebhookDoor::close);
        processes.put("advisor webhook", new Opened(webhookMetrics, webhook.port()));
        var observerMetrics = new Metrics();
        var observer = kept(
                Observer.start(cluster, new LocalEar(agent.agent()), observerMetrics.registry(), clock),
                Observer::close);
        var health = new Health().ready("cluster", observer::problem);
        var server = kept(Operations.start(anywhere(), health, observerMetrics), HttpServer::close);
        processes.put("advisor observer", new Opened(observerMetrics, server.port(Operations.LISTENER)));
    }

    private void openPinner() {
        var schedulerMetrics = new Metrics();
        var election = new PinnerScheduler.Election(LEASES, "gpu-scheduler", LeaderElection.Timing.STANDARD);
        var scheduler = kept(
                PinnerSchedulerDoor.open(
                        cluster,
                        new PinnerSchedulerDoor.Settings(
                                new PinnerScheduler.Settings("gpu-scheduler", false, "test", Optional.of(election)),
                                new LedgerFlags(),
                                anywhere()),
                        schedulerMetrics,
                        clock),
                PinnerSchedulerDoor::close);
        processes.put("pinner scheduler", new Opened(schedulerMetrics, scheduler.port()));
        var webhookMetrics = new Metrics();
        var webhook = kept(
                PinnerWebhookDoor.open(new WebhookSettings("gpu-scheduler", false, false), anywhere(), webhookMetrics),
                PinnerWebhookDoor::close);
        processes.put("pinner webhook", new Opened(webhookMetrics, webhook.port()));
    }

    private void openClaims() {
        var metrics = new Metrics();
        var scheduler = new ClaimsScheduler.Settings(
                "berth", new Listed(), "test", LEASES, "berth-claims-scheduler", LeaderElection.Timing.STANDARD);
        var door = kept(
                ClaimsDoor.open(
                        cluster, new ClaimsDoor.Settings(scheduler, new LedgerFlags(), anywhere()), metrics, clock),
                ClaimsDoor::close);
        processes.put("claims scheduler", new Opened(metrics, door.port()));
    }

    private void openConsole() {
        var metrics = new Metrics();
        var settings = new WebSettings(LOOPBACK, new WebSettings.Transport.PlainHttp());
        var console = kept(
                ServedConsole.start(cluster, Beliefs.NONE, settings, 0, Guard.OPEN, metrics, clock),
                ServedConsole::close);
        processes.put("console", new Opened(metrics, console.port()));
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) parts.pop().run();
    }
}
