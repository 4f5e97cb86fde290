package dev.berth.cli.door;

import dev.berth.advisor.agent.Agent;
import dev.berth.advisor.agent.AgentRoutes;
import dev.berth.advisor.agent.AgentSettings;
import dev.berth.advisor.observer.LocalEar;
import dev.berth.advisor.observer.Observer;
import dev.berth.advisor.store.Store;
import dev.berth.kube.Cluster;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The advisor's agent, with the observer beside it where there is a cluster to observe. */
public final class AdvisorAgentDoor implements AutoCloseable {
    private static final String AGENT = "agent";

    private final Agent agent;
    private final Store store;
    private final Optional<Observer> observer;
    private final HttpServer server;

    private AdvisorAgentDoor(Agent agent, Store store, Optional<Observer> observer, HttpServer server) {
        this.agent = agent;
        this.store = store;
        this.observer = observer;
        this.server = server;
    }

    /**
     * @param store closed with the door
     * @param observed the cluster whose pods are learned from; empty for an agent that is told by others
     */
    public static AdvisorAgentDoor open(
            AgentSettings settings,
            Store store,
            Optional<Cluster> observed,
            Place place,
            RandomGenerator random,
            Metrics metrics,
            InstantSource clock) {
        var agent = new Agent(settings, store, random, clock, metrics.registry());
        var observer = observed.map(cluster -> Observer.start(cluster, new LocalEar(agent), metrics.registry(), clock));
        var server = HttpServer.start(List.of(new Listener(
                AGENT,
                place.address(),
                place.port(),
                place.tls(),
                Limits.DEFAULT,
                routes -> {
                    metrics.addTo(routes);
                    new AgentRoutes(agent).addTo(routes);
                },
                AgentRoutes.ERRORS)));
        return new AdvisorAgentDoor(agent, store, observer, server);
    }

    /** For a webhook in the same process. */
    public Agent agent() {
        return agent;
    }

    public int port() {
        return server.port(AGENT);
    }

    @Override
    public void close() {
        server.close();
        observer.ifPresent(Observer::close);
        agent.close();
        store.close();
    }
}
