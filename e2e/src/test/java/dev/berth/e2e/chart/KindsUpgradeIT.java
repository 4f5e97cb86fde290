package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.server.Cluster;
import dev.berth.e2e.story.Dialogue;
import dev.berth.e2e.story.OnBothServers;
import dev.berth.e2e.story.Story;
import dev.berth.kube.ledger.NodeLedgerDefinition;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The kinds are upgraded with the chart of all doors, and outlive its release. */
@OnBothServers
class KindsUpgradeIT {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    @TempDir
    private Path directory = Path.of(".");

    @Story
    @Timeout(120)
    void anUpgradeReachesTheKinds(Dialogue server, Cluster cluster) throws IOException {
        var helm = ProgramsOrSkip.helm(cluster);
        server.quietly("POST", DEFINITIONS, NodeLedgerDefinition.yaml());
        try {
            // The kind is there already, as where a door was installed by its own chart before.
            run(helm, server, "install", olderChart(cluster.name()), "--take-ownership");
            assertThat(columns(server)).contains("Disputed").doesNotContain("Contested");

            run(helm, server, "upgrade", Helm.chart("berth"));
            assertThat(columns(server)).contains("Contested").doesNotContain("Disputed");

            helm.run("uninstall", "kinds", "--namespace=" + server.namespace());
            assertThat(columns(server)).contains("Contested");
        } finally {
            helm.attempt("uninstall", "kinds", "--namespace=" + server.namespace());
        }
    }

    private static void run(Helm helm, Dialogue server, String verb, Path chart, String... more) {
        var command = new ArrayList<>(List.of(
                verb,
                "kinds",
                chart.toString(),
                "--namespace=" + server.namespace(),
                "--values=" + Helm.chart("berth").resolve("ci/nothing.yaml"),
                "--set=crds.enabled=true"));
        command.addAll(List.of(more));
        helm.run(command.toArray(String[]::new));
    }

    /** The chart as it might have been, with another word in the ledger's definition. */
    private Path olderChart(String name) throws IOException {
        var newer = Helm.chart("berth");
        var older = directory.resolve(name);
        try (var files = Files.walk(newer, FileVisitOption.FOLLOW_LINKS)) {
            for (var file : files.toList()) {
                Files.copy(file, older.resolve(newer.relativize(file)));
            }
        }
        var definition = older.resolve("files/crds/nodeledgers.berth.dev.yaml");
        Files.writeString(definition, Files.readString(definition).replace("name: Contested", "name: Disputed"));
        return older;
    }

    private static List<String> columns(Dialogue server) {
        return server.quietly("GET", DEFINITIONS + "/nodeledgers.berth.dev", "")
                .body()
                .at("/spec/versions/0/additionalPrinterColumns")
                .valueStream()
                .map(column -> column.path("name").asText())
                .toList();
    }
}
