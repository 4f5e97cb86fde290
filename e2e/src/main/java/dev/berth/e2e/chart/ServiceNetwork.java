package dev.berth.e2e.chart;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The Services of one namespace: a proxy for each port, and their names in a file in place of a DNS. */
final class ServiceNetwork implements AutoCloseable {
    private static final String LOOPBACK = "127.0.0.1";

    private final Path hosts;
    private final Function<Service, List<PodProcess>> readyPods;
    private final Map<InetSocketAddress, ServiceProxy> proxies = new HashMap<>();
    private String written = "";

    /** @param readyPods those that a Service selects */
    ServiceNetwork(Path hosts, Function<Service, List<PodProcess>> readyPods) {
        this.hosts = hosts;
        this.readyPods = readyPods;
        writeHosts(List.of());
    }

    Path hosts() {
        return hosts;
    }

    void follow(List<Service> services) {
        writeHosts(services);
        var wanted = new HashMap<InetSocketAddress, Runnable>();
        for (var service : services) {
            for (var port : service.getSpec().getPorts()) {
                var address = address(service, port);
                wanted.put(
                        address,
                        () -> proxies.computeIfAbsent(
                                address, at -> new ServiceProxy(at, () -> backends(service, port))));
            }
        }
        proxies.entrySet().removeIf(entry -> {
            if (wanted.containsKey(entry.getKey())) return false;
            entry.getValue().close();
            return true;
        });
        wanted.values().forEach(Runnable::run);
    }

    /**
     * As the API server looks for it: the embedded one has no cluster addresses on loopback and takes the target port.
     */
    static InetSocketAddress address(Service service, ServicePort port) {
        var cluster = service.getSpec().getClusterIP();
        if (cluster != null && cluster.startsWith("127.")) return ServiceProxy.at(cluster, port.getPort());
        var target = port.getTargetPort();
        return ServiceProxy.at(
                LOOPBACK, target == null || target.getIntVal() == null ? port.getPort() : target.getIntVal());
    }

    private List<InetSocketAddress> backends(Service service, ServicePort port) {
        return readyPods.apply(service).stream()
                .map(pod -> ServiceProxy.at(pod.address(), targetPort(pod, port)))
                .toList();
    }

    private static int targetPort(PodProcess pod, ServicePort port) {
        var target = port.getTargetPort();
        if (target == null) return port.getPort();
        if (target.getIntVal() != null) return target.getIntVal();
        return pod.container().getPorts().stream()
                .filter(each -> target.getStrVal().equals(each.getName()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no port is called " + target.getStrVal()))
                .getContainerPort();
    }

    private void writeHosts(List<Service> services) {
        var lines = new TreeMap<String, String>();
        for (var service : services) {
            // A headless one has names only.
            if (service.getSpec().getPorts().isEmpty()) continue;
            var address = address(service, service.getSpec().getPorts().getFirst())
                    .getAddress()
                    .getHostAddress();
            var name = service.getMetadata().getName();
            var full = name + "." + service.getMetadata().getNamespace();
            lines.put(full, "%s %s.svc %s.svc.cluster.local %s %s".formatted(address, full, full, full, name));
        }
        var text = LOOPBACK + " localhost\n" + String.join("\n", lines.values()) + "\n";
        if (text.equals(written)) return;
        try {
            Files.writeString(hosts, text);
            written = text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        proxies.values().forEach(ServiceProxy::close);
        proxies.clear();
    }
}
