package dev.berth.web.health;

import dev.berth.web.ErrorReplies;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** {@code /metrics}: the process's own figures and whatever the rooms register, for Prometheus and OpenMetrics. */
public final class Metrics {
    private final Catalogue registry = new Catalogue();
    private final List<Health> healths = new CopyOnWriteArrayList<>();
    private @Nullable RequestMetrics requests;

    public Metrics() {
        ProcessMetrics.register(registry);
    }

    public PrometheusRegistry registry() {
        return registry;
    }

    /** All that is registered, with or without a value. */
    public List<MetricDescription> described() {
        return registry.described();
    }

    /** Tells from now on which of these checks pass; two halves of a process may each have some. */
    public synchronized void shows(Health health) {
        if (healths.isEmpty()) {
            GaugeWithCallback.builder()
                    .name("berth_ready")
                    .help("Whether a check of /readyz passes, 1 or 0: what is not known of the cluster yet shows here.")
                    .labelNames("check")
                    .callback(callback -> checks().forEach((name, passes) -> callback.call(passes ? 1 : 0, name)))
                    .register(registry);
        }
        healths.add(health);
    }

    private Map<String, Boolean> checks() {
        Map<String, Boolean> checks = new TreeMap<>();
        healths.forEach(
                health -> health.checks().forEach((name, passes) -> checks.merge(name, passes, Boolean::logicalAnd)));
        return checks;
    }

    /** Serves {@code /metrics}. */
    public void addTo(HttpRouting.Builder routes) {
        routes.get("/metrics", this::answer).any("/metrics", ErrorReplies.onlyMethods("GET"));
    }

    /** Counts and times every request of these routes, and writes it to the access log. */
    public synchronized void observe(HttpRouting.Builder routes) {
        if (requests == null) {
            requests = new RequestMetrics(registry);
        }
        routes.addFilter(requests);
    }

    /** For whoever serves it elsewhere, or not to everybody. */
    public void answer(ServerRequest request, ServerResponse response) throws IOException {
        var accepted = request.headers().first(HeaderNames.ACCEPT).orElse("");
        var writer = ExpositionFormats.init().findWriter(accepted);
        var text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        response.headers().set(HeaderNames.CONTENT_TYPE, writer.getContentType());
        response.send(text.toByteArray());
    }
}
