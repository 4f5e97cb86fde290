package dev.berth.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.api.Api.Resource;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The first page of {@code up}: the nodes, their GPUs, and the pods on them. Plain HTML that looks again every two
 * seconds.
 */
final class OverviewPage {
    private static final Resource NODES = new Resource("", "v1", "nodes");
    private static final Resource PODS = new Resource("", "v1", "pods");
    private static final String GPU = "nvidia.com/gpu";

    private static final HeaderName CONTENT_SECURITY_POLICY = HeaderNames.create("Content-Security-Policy");

    private final Api api;

    OverviewPage(Api api) {
        this.api = api;
    }

    void routes(HttpRouting.Builder routing) {
        routing.get("/", (request, response) -> {
            response.header(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
            response.header(CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'");
            response.send(html());
        });
    }

    String html() {
        List<ObjectNode> pods = api.list(PODS, "", Map.of());
        Map<String, List<ObjectNode>> byNode = pods.stream()
                .filter(OverviewPage::alive)
                .collect(Collectors.groupingBy(
                        pod -> pod.at("/spec/nodeName").asText(), TreeMap::new, Collectors.toList()));
        var rows = new StringBuilder();
        for (ObjectNode node : api.list(NODES, "", Map.of())) {
            String name = node.at("/metadata/name").asText();
            rows.append(row(node, name, byNode.getOrDefault(name, List.of())));
        }
        List<ObjectNode> waiting = byNode.getOrDefault("", List.of());
        return PAGE.formatted(rows, waiting.size(), names(waiting));
    }

    private static String row(ObjectNode node, String name, List<ObjectNode> pods) {
        long gpus = node.path("status").path("allocatable").path(GPU).asLong();
        long asked = pods.stream().mapToLong(OverviewPage::gpus).sum();
        String model = node.path("metadata")
                .path("labels")
                .path("nvidia.com/gpu.product")
                .asText("-");
        return "<tr><th scope=row>%s</th><td>%s</td><td>%d of %d</td><td>%s</td></tr>%n"
                .formatted(escaped(name), escaped(model), asked, gpus, names(pods));
    }

    private static boolean alive(ObjectNode pod) {
        String phase = pod.at("/status/phase").asText();
        return !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    private static long gpus(ObjectNode pod) {
        long sum = 0;
        for (JsonNode container : pod.at("/spec/containers")) {
            sum += container.path("resources").path("limits").path(GPU).asLong();
        }
        return sum;
    }

    private static String names(List<ObjectNode> pods) {
        if (pods.isEmpty()) return "-";
        return pods.stream()
                .map(pod -> pod.at("/metadata/namespace").asText() + "/"
                        + pod.at("/metadata/name").asText())
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
