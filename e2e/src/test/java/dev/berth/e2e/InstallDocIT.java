package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.chart.ProgramsOrSkip;
import dev.berth.e2e.server.Await;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.ControlPlane;
import dev.berth.e2e.server.E2eFolder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/install.md says is true in a cluster with nothing in it: an API server of its own, because the others know
 * our kinds already. Nobody runs the pods; that is another test's business.
 */
class InstallDocIT {
    @TempDir
    private Path directory = Path.of(".");

    @Test
    @Timeout(300)
    void theInstallationsPagePrintsWhatItSays() throws Exception {
        var programs = ProgramsOrSkip.programs();
        var page = Walkthrough.of("docs/install.md", directory);
        assertThat(page.steps()).hasSizeGreaterThan(8);
        var logs = E2eFolder.target("install-doc");
        try (var cluster = ControlPlane.start(programs, logs);
                var _ = Companions.controllers(programs, cluster, logs);
                var client = cluster.client("default")) {
            page.run("export KUBECONFIG=" + cluster.kubeconfig());
            page.run("export PATH=%s:%s".formatted(programs.directory(), System.getenv("PATH")));
            for (var step : page.steps()) {
                if (step.command().startsWith("kubectl delete namespace")) letVolumesGo(client);
                step.assertPrinted(withoutLinks(page.run(step.command())), String::stripTrailing);
            }
            Await.until(Walkthrough.PATIENCE, () -> left(client).isEmpty(), () -> "left behind: " + left(client));
        }
    }

    /** The controller that sees that nobody uses a volume any more is not here. */
    private static void letVolumesGo(KubernetesClient client) {
        client.persistentVolumeClaims()
                .inNamespace("berth")
                .resources()
                .forEach(each -> each.edit(claim -> {
                    claim.getMetadata().setFinalizers(List.of());
                    return claim;
                }));
    }

    /** helm mentions every link that it follows. */
    private static String withoutLinks(String output) {
        return output.lines()
                .filter(line -> !line.contains("found symbolic link in path"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> left(KubernetesClient client) {
        var ours = Map.of("app.kubernetes.io/part-of", "berth");
        return Stream.<List<? extends HasMetadata>>of(
                        client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.rbac().clusterRoles().withLabels(ours).list().getItems(),
                        client.rbac()
                                .clusterRoleBindings()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.admissionRegistration()
                                .v1()
                                .mutatingWebhookConfigurations()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.scheduling()
                                .v1()
                                .priorityClasses()
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.rbac()
                                .roleBindings()
                                .inNamespace("kube-system")
                                .withLabels(ours)
                                .list()
                                .getItems(),
                        client.namespaces().withLabels(ours).list().getItems())
                .flatMap(List::stream)
                .map(each -> each.getKind() + "/" + each.getMetadata().getName())
                .toList();
    }
}
