package dev.berth.kube;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerSettings;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The embedded API server and clients of it, for one test class. */
public final class TestServer implements AutoCloseable {
    private final ApiServer server =
            ApiServer.start(ApiServerSettings.defaults().withPort(0));
    private final List<Runnable> closers = new ArrayList<>();

    public Cluster connect() {
        return connect(server.url());
    }

    /** A client that reaches the server over a wire that the test can cut. */
    public Cluster connectOver(Wire wire) {
        return connect("http://127.0.0.1:" + wire.port());
    }

    public Wire wire() {
        var wire = Wire.to(URI.create(server.url()).getPort());
        closers.add(wire::close);
        return wire;
    }

    private Cluster connect(String url) {
        var cluster = Cluster.connect(new ConnectionSettings.At(URI.create(url)));
        closers.add(cluster::close);
        return cluster;
    }

    public static Pod pod(Cluster cluster, String name) {
        return cluster.client()
                .pods()
                .inNamespace("default")
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
    }

    /** Waits until the condition holds; a test that waits in vain fails with what it waited for. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        closers.reversed().forEach(Runnable::run);
        server.close();
    }
}
