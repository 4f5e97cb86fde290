package dev.berth.web.health;

import dev.berth.web.ErrorReplies;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** {@code /metrics}: the process's own figures and whatever the rooms register, for Prometheus and OpenMetrics. */
public final class Metrics {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final RequestMetrics requests;

    public Metrics() {
        ProcessMetrics.register(registry);
        requests = new RequestMetrics(registry);
    }

    public PrometheusRegistry registry() {
        return registry;
    }

    /** Serves {@code /metrics}. */
    public void addTo(HttpRouting.Builder routes) {
        routes.get("/metrics", this::answer).any("/metrics", ErrorReplies.onlyMethods("GET"));
    }

    /** Counts and times every request of these routes, and writes it to the access log. */
    public void observe(HttpRouting.Builder routes) {
        routes.addFilter(requests);
    }

    private void answer(ServerRequest request, ServerResponse response) throws IOException {
        var accepted = request.headers().first(HeaderNames.ACCEPT).orElse("");
        var writer = ExpositionFormats.init().findWriter(accepted);
        var text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        response.headers().set(HeaderNames.CONTENT_TYPE, writer.getContentType());
        response.send(text.toByteArray());
    }
}
