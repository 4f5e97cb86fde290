package dev.berth.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The charts share one library without copies, and install from a clone as well as from a package. */
class LibraryChartIT {
    private static final Path LIBRARY = Helm.chart("berth-library");

    private final Helm helm = ProgramsOrSkip.helm();

    @TempDir
    private Path directory = Path.of(".");

    static List<Path> charts() throws IOException {
        try (var folders = Files.list(LIBRARY.getParent())) {
            return folders.filter(each -> Files.exists(each.resolve("Chart.yaml")))
                    .filter(each -> !each.equals(LIBRARY))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void whatAChartDependsOnIsALinkToItsNeighbour(Path chart) throws IOException {
        try (var dependencies = Files.list(chart.resolve("charts"))) {
            assertThat(dependencies).isNotEmpty().allSatisfy(each -> {
                assertThat(each).isSymbolicLink();
                assertThat(each.toRealPath())
                        .isEqualTo(LIBRARY.resolveSibling(each.getFileName()).toRealPath());
            });
        }
    }

    @ParameterizedTest
    @MethodSource("charts")
    void aPackageRendersToTheSameWithoutItsNeighbours(Path chart) throws IOException {
        helm.run("package", chart.toString(), "--destination", directory.toString());

        try (var packages = Files.list(directory)) {
            var archive = packages.findFirst().orElseThrow();
            var values = someValues(chart).toString();
            assertThat(Rendered.of(helm, archive, "--values", values))
                    .isEqualTo(Rendered.of(helm, chart, "--values", values));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gpu-device-assigner, 'tls.mode=certManager,tls.clientCAConfigMap=callers'",
        "scheduler-webhook, 'tls.certManager.enabled=true,tls.clientCAConfigMap=callers'",
        "gpu-scheduler, 'webhook.enabled=true,webhook.tls.mode=certManager,webhook.tls.clientCAConfigMap=callers'"
    })
    void aWebhookCanAskItsCallersForACertificate(String chart, String values) {
        var pod = Rendered.of(helm, Helm.chart(chart), "--set=" + values)
                .only("Deployment")
                .at("/spec/template/spec");

        assertThat(pod.findValues("args").toString()).contains("--client-ca=/callers/ca.crt");
        assertThat(pod.findValues("volumeMounts").toString()).contains("\"mountPath\":\"/callers\"");
        assertThat(pod.path("volumes").toString())
                .contains("\"name\":\"callers\",\"configMap\":{\"name\":\"callers\"}");
    }

    @Test
    void aDoorThatMakesItsOwnCertificateCannot() {
        var outcome = helm.attempt(
                "template",
                Helm.chart("gpu-device-assigner").toString(),
                "--kube-version=1.36.3",
                "--set=tls.clientCAConfigMap=callers");

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains("clientCAConfigMap needs a certificate that cert-manager or you keep");
    }

    /** Not the chart's own: one of them cannot be installed without saying who may use it. */
    private static Path someValues(Path chart) throws IOException {
        try (var files = Files.list(chart.resolve("ci"))) {
            return files.sorted().findFirst().orElseThrow();
        }
    }

    @Test
    void theLibraryInstallsNothing() {
        var outcome = helm.attempt("template", LIBRARY.toString(), "--kube-version", "1.36.3");

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.output()).contains("library charts are not installable");
    }
}
