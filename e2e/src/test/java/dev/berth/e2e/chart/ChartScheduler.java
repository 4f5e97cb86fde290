package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.e2e.server.GuardedProcess;
import dev.berth.e2e.server.Programs;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The extender's own kube-scheduler: no kubelet here has its image, so that it runs as a process with the configuration
 * and the rights of the chart.
 */
record ChartScheduler(KubernetesClient client, Cluster cluster, String namespace, String name) {
    /** @param extender where it listens, in place of its Service */
    GuardedProcess start(String extender, int port) throws IOException, Programs.Unavailable {
        var written = client.configMaps()
                .inNamespace(namespace)
                .withName("gpu-scheduler-config")
                .get()
                .getData()
                .getOrDefault("gpu-scheduler-config.yaml", "");
        var service = "gpu-admission." + namespace + ":" + port;
        assertThat(written).contains(service, "schedulerName: " + name);
        Path directory = Files.createDirectories(E2eFolder.target(name + "/" + cluster.name()));
        var config = Files.writeString(
                directory.resolve("config.yaml"),
                written.replace(service, extender + ":" + port) + """
                clientConnection:
                  kubeconfig: %s
                  contentType: application/json
                """.formatted(identity(directory)));
        return GuardedProcess.start(
                List.of(Programs.find().path("kube-scheduler"), "--config=" + config, "--secure-port=0"),
                directory.resolve("kube-scheduler.log"));
    }

    /** A kubeconfig with a token of the ServiceAccount that the chart gives it. */
    private Path identity(Path directory) {
        var template = client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name)
                .get()
                .getSpec()
                .getTemplate();
        assertThat(template.getSpec().getServiceAccountName()).isEqualTo("gpu-scheduler-sa");
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withSpec(template.getSpec())
                .build();
        return new PodFolder(cluster, client, pod, directory).kubeconfig();
    }
}
