package dev.berth.cli;

import dev.berth.kube.Cluster;
import dev.berth.kube.fit.PodNeeds;
import dev.berth.kube.fit.Resources;
import dev.berth.kube.pod.Sighting;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The first page of {@code up}: the nodes, their GPUs, and the pods on them. Plain HTML that looks again every two
 * seconds.
 */
final class OverviewPage {
    private static final String GPU = "nvidia.com/gpu";

    private static final HeaderName CONTENT_SECURITY_POLICY = HeaderNames.create("Content-Security-Policy");

    private final Cluster cluster;

    OverviewPage(Cluster cluster) {
        this.cluster = cluster;
    }

    void routes(HttpRouting.Builder routing) {
        routing.get("/", (request, response) -> {
            response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
            response.header(CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'");
            response.send(html());
        });
    }

    String html() {
        Map<String, List<Pod>> byNode = cluster.client().pods().inAnyNamespace().list().getItems().stream()
                .filter(pod -> !Sighting.finished(pod))
                .collect(Collectors.groupingBy(OverviewPage::nodeOf, TreeMap::new, Collectors.toList()));
        var rows = new StringBuilder();
        for (Node node : cluster.client().nodes().list().getItems()) {
            rows.append(row(node, byNode.getOrDefault(node.getMetadata().getName(), List.of())));
        }
        List<Pod> waiting = byNode.getOrDefault("", List.of());
        return PAGE.formatted(rows, waiting.size(), names(waiting));
    }

    private static String nodeOf(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
    }

    private static String row(Node node, List<Pod> pods) {
        long gpus = Resources.of(node.getStatus().getAllocatable()).of(GPU);
        long asked = pods.stream()
                .mapToLong(pod -> PodNeeds.of(pod).requests().of(GPU))
                .sum();
        String model = Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.<String, String>of())
                .getOrDefault("nvidia.com/gpu.product", "-");
        return "<tr><th scope=row>%s</th><td>%s</td><td>%d of %d</td><td>%s</td></tr>%n"
                .formatted(escaped(node.getMetadata().getName()), escaped(model), asked, gpus, names(pods));
    }

    private static String names(List<Pod> pods) {
        if (pods.isEmpty()) return "-";
        return pods.stream()
                .map(pod -> pod.getMetadata().getNamespace() + "/"
                        + pod.getMetadata().getName())
                .map(OverviewPage::escaped)
                .collect(Collectors.joining("<br>"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @SuppressWarnings("InlineFormatString") // a page of HTML reads better on its own
    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="refresh" content="2">
            <title>Berth</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; width: 100%%; }
            th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; }
            </style>
            </head>
            <body>
            <h1>Berth</h1>
            <table>
            <caption>Nodes, their GPUs, and the pods on them</caption>
            <thead><tr><th scope=col>Node</th><th scope=col>GPU model</th><th scope=col>GPUs asked for</th><th scope=col>Pods</th></tr></thead>
            <tbody>
            %s</tbody>
            </table>
            <h2>Waiting pods: %d</h2>
            <p>%s</p>
            </body>
            </html>
            """;
}
