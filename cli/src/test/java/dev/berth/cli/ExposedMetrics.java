package dev.berth.cli;

import dev.berth.web.health.MetricDescription;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What running processes tell over HTTP after some traffic.
 *
 * @param labels of each metric by the name under which Prometheus keeps it, whether or not it has a value yet
 * @param problems where what was scraped is not what was described
 */
record ExposedMetrics(Map<String, Set<String>> labels, List<String> problems) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern SAMPLE = Pattern.compile("(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(?<labels>.*)})? .*");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final String REVIEW = """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u-1",
             "kind":{"group":"","version":"v1","kind":"Pod"},"resource":{"group":"","version":"v1","resource":"pods"},
             "namespace":"default","name":"p","operation":"CREATE","userInfo":{"username":"alice"},
             "object":{"apiVersion":"v1","kind":"Pod",
              "metadata":{"name":"p","namespace":"default","labels":{"fudo.org/gpu.a100":""},
               "annotations":{"app.kubernetes.io/job-type":"train"}},
              "spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}}""";
    private static final String QUESTION = """
            {"Pod":{"metadata":{"name":"q","namespace":"default","uid":"q"},"spec":{"containers":[{"name":"c",
             "resources":{"limits":{"tencent.com/vcuda-core":"50","tencent.com/vcuda-memory":"8"}}}]}},"NodeNames":[]}""";

    static ExposedMetrics of(EveryProcess every) throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            traffic(every, http);
            Map<String, Set<String>> labels = new TreeMap<>();
            var problems = new ArrayList<String>();
            for (var process : every.processes().entrySet()) {
                Map<String, Set<String>> own = new TreeMap<>();
                process.getValue().metrics().described().forEach(metric -> series(metric, own));
                own.forEach((name, names) ->
                        labels.computeIfAbsent(name, _ -> new TreeSet<>()).addAll(names));
                compare(process.getKey(), send(http, process.getValue().port(), "/metrics", ""), own, problems);
            }
            return new ExposedMetrics(labels, problems);
        }
    }

    private static void series(MetricDescription metric, Map<String, Set<String>> into) {
        if (!metric.type().equals("histogram")) {
            into.put(metric.name(), metric.labels());
            return;
        }
        var withBound = new TreeSet<>(metric.labels());
        withBound.add("le");
        into.put(metric.name() + "_bucket", withBound);
        into.put(metric.name() + "_sum", metric.labels());
        into.put(metric.name() + "_count", metric.labels());
    }

    private static void compare(
            String process, String page, Map<String, Set<String>> described, List<String> problems) {
        for (var line : page.lines().filter(each -> !each.startsWith("#")).toList()) {
            var sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                problems.add("%s: no sample: %s".formatted(process, line));
                continue;
            }
            var found = new TreeSet<String>();
            var text = sample.group("labels");
            if (text != null) LABEL.matcher(text).results().forEach(label -> found.add(label.group(1)));
            if (!found.equals(described.get(sample.group("name")))) {
                problems.add("%s: %s is described with the labels %s"
                        .formatted(process, line, described.get(sample.group("name"))));
            }
        }
    }

    /** Something for every door to count. */
    private static void traffic(EveryProcess every, HttpClient http) throws IOException, InterruptedException {
        for (var webhook : List.of("assigner", "advisor webhook", "pinner webhook")) {
            send(http, every.port(webhook), "/mutate", REVIEW);
        }
        send(http, every.port("extender"), "/scheduler/predicates", QUESTION);
        int agent = every.port("advisor agent");
        send(http, agent, "/v1/observe", "{\"job_type\":\"train\",\"gpu_type\":\"H100\",\"runtime_seconds\":60}");
        for (var scheduler : List.of("gpu-scheduler", "berth")) {
            var pod = every.cluster()
                    .client()
                    .getKubernetesSerialization()
                    .unmarshal(
                            "metadata: {name: for-%1$s, namespace: default}\nspec: {schedulerName: %1$s, containers: [{name: c, image: i}]}"
                                    .formatted(scheduler),
                            Pod.class);
            every.cluster().client().resource(pod).create();
        }
        await(http, every, "pinner scheduler", "berth_refusals_total{");
        await(http, every, "claims scheduler", "berth_schedule_attempts_total{");
        await(http, every, "console", "berth_cluster_gpus{");
    }

    private static void await(HttpClient http, EveryProcess every, String process, String text)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!send(http, every.port(process), "/metrics", "").contains(text)) {
            if (System.nanoTime() > deadline) throw new AssertionError("%s has no %s".formatted(process, text));
            Thread.sleep(20);
        }
    }

    private static String send(HttpClient http, int port, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .timeout(PATIENCE);
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        var response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new AssertionError("%s: %d %s".formatted(path, response.statusCode(), response.body()));
        }
        return response.body();
    }
}
