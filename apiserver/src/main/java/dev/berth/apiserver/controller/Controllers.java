package dev.berth.apiserver.controller;

import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.Catalog;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** All controllers of the embedded server, running. Left out where a real kube-controller-manager does their work. */
public final class Controllers implements AutoCloseable {
    private static final Duration LISTED_WITHIN = Duration.ofSeconds(30);

    private final Cluster cluster;
    private final List<Worker> workers = new ArrayList<>();

    private Controllers(Cluster cluster) {
        this.cluster = cluster;
    }

    /** @param caCertificate PEM of the server's own CA, for every namespace; empty when it has none */
    public static Controllers start(Api api, Catalog catalog, InstantSource clock, String caCertificate) {
        var cluster = new Cluster(api, clock);
        var controllers = new Controllers(cluster);
        List<Controller> all = List.of(
                new NodeLifecycle(cluster),
                new NamespaceDefaults(cluster, caCertificate),
                new ReplicaSets(cluster),
                new Deployments(cluster),
                new StatefulSets(cluster),
                new Jobs(cluster),
                new ResourceClaims(cluster),
                new ClaimReservations(cluster),
                new PodCollector(cluster),
                new NamespaceDeletion(cluster, catalog),
                new GarbageCollector(cluster, catalog));
        controllers.run(all);
        return controllers;
    }

    private void run(List<Controller> all) {
        try {
            // Before every object there is has been told, what is missing cannot be known.
            cluster.awaitSynced(LISTED_WITHIN);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return;
        }
        for (Controller each : all) workers.add(new Worker(each));
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        cluster.close();
    }
}
