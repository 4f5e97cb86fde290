package dev.berth.extender;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.core.share.Workload;
import dev.berth.extender.board.Board;
import dev.berth.extender.quota.QuotaRules;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRouting;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Who uses how much of which GPU model, and may: {@code GET /quota} and metrics. Everything in cores, 100 a GPU. */
final class QuotaRoute {
    private final Board board;
    private final Supplier<QuotaRules> rules;
    private final Supplier<Workload> typical;

    QuotaRoute(Board board, Supplier<QuotaRules> rules, Supplier<Workload> typical) {
        this.board = board;
        this.rules = rules;
        this.typical = typical;
    }

    void addTo(HttpRouting.Builder routes) {
        routes.get("/quota", (_, response) -> {
            response.headers().set(HeaderValues.CONTENT_TYPE_JSON);
            response.send(page().getBytes(StandardCharsets.UTF_8));
        });
    }

    private String page() {
        var usage = board.usage();
        var limits = rules.get();
        var namespaces = new TreeSet<>(usage.keySet());
        namespaces.addAll(limits.byNamespace().keySet());
        var reply = JsonNodeFactory.instance.objectNode();
        var list = reply.putArray("namespaces");
        for (var namespace : namespaces) {
            var rule = limits.of(namespace);
            var row = list.addObject().put("namespace", namespace);
            rule.ifPresent(each -> each.pools().forEach(row.withArray("pools")::add));
            Map<String, Long> used = usage.getOrDefault(namespace, Map.of());
            var models = new TreeSet<>(used.keySet());
            rule.ifPresent(each -> models.addAll(each.gpus().keySet()));
            var cells = row.putArray("models");
            for (var model : models) {
                var cell = cells.addObject().put("model", model).put("usedCores", used.getOrDefault(model, 0L));
                rule.ifPresent(each -> cell.put("limitCores", each.limit(model)));
            }
        }
        return reply.toString();
    }

    void measure(PrometheusRegistry registry) {
        GaugeWithCallback.builder()
                .name("berth_gpu_allocated_ratio")
                .help("Which part of the cores of a GPU model is held, from 0 to 1.")
                .labelNames("model")
                .callback(callback -> board.allocated().forEach((model, ratio) -> callback.call(ratio, model)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("berth_gpu_fragmented_ratio")
                .help("Which part of the free cores of a GPU model no typical pod is expected to use, from 0 to 1.")
                .labelNames("model")
                .callback(callback ->
                        board.fragmented(typical.get()).forEach((model, ratio) -> callback.call(ratio, model)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("berth_quota_used")
                .help("Cores of a GPU model that a namespace holds, 100 a GPU.")
                .labelNames("namespace", "model")
                .callback(callback -> board.usage()
                        .forEach((namespace, models) ->
                                models.forEach((model, cores) -> callback.call((double) cores, namespace, model))))
                .register(registry);
        GaugeWithCallback.builder()
                .name("berth_quota_limit")
                .help("Cores of a GPU model that a namespace may hold, 100 a GPU.")
                .labelNames("namespace", "model")
                .callback(callback -> rules.get()
                        .byNamespace()
                        .forEach((namespace, rule) -> rule.gpus()
                                .keySet()
                                .forEach(model -> callback.call((double) rule.limit(model), namespace, model))))
                .register(registry);
    }
}
