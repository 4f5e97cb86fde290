package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.chart.ProgramsOrSkip;
import dev.berth.e2e.server.Companions;
import dev.berth.e2e.server.ControlPlane;
import dev.berth.e2e.server.E2eFolder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
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
    @Timeout(1200)
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
                if (step.command().startsWith("kubectl get ")) {
                    step.awaitPrinted(() -> page.run(step.command()), String::stripTrailing);
                } else {
                    step.assertPrinted(withoutLinks(page.run(step.command())), String::stripTrailing);
                }
            }
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
}
