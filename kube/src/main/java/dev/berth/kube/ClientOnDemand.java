package dev.berth.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** fabric8's client, made when somebody asks for it: most doors never do, and its classes are a good part of them. */
final class ClientOnDemand implements Supplier<KubernetesClient>, AutoCloseable {
    private final Supplier<KubernetesClient> maker;
    private @Nullable KubernetesClient client;

    ClientOnDemand(Supplier<KubernetesClient> maker) {
        this.maker = maker;
    }

    @Override
    public synchronized KubernetesClient get() {
        var made = client;
        if (made == null) {
            made = maker.get();
            client = made;
        }
        return made;
    }

    @Override
    public synchronized void close() {
        if (client != null) {
            client.close();
        }
    }
}
