package dev.berth.web.health;

import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts, times and (at debug) logs requests by their route's pattern: a raw path would be a label without bounds. */
final class RequestMetrics implements Filter {
    private static final Logger accessLog = LoggerFactory.getLogger("dev.berth.access");
    private static final String NO_ROUTE = "none";

    private final Counter requests;
    private final Histogram durations;

    RequestMetrics(PrometheusRegistry registry) {
        requests = Counter.builder()
                .name("berth_http_requests_total")
                .help("HTTP requests answered, by route and status code.")
                .labelNames("route", "code")
                .register(registry);
        durations = Histogram.builder()
                .name("berth_http_request_duration_seconds")
                .help("Time from a request's headers to the end of its answer, by route.")
                .classicOnly()
                .classicUpperBounds(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .labelNames("route")
                .register(registry);
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        long start = System.nanoTime();
        try {
            chain.proceed();
        } finally {
            double seconds = (System.nanoTime() - start) / 1e9;
            int code = response.status().code();
            var route = code == 404 ? NO_ROUTE : request.matchingPattern().orElse(NO_ROUTE);
            requests.labelValues(route, Integer.toString(code)).inc();
            durations.labelValues(route).observe(seconds);
            log(request, code, seconds);
        }
    }

    private static void log(RoutingRequest request, int code, double seconds) {
        if (accessLog.isDebugEnabled()) {
            accessLog.debug(
                    "method={} path={} protocol={} code={} ms={} client={}",
                    request.prologue().method().text(),
                    request.prologue().uriPath().rawPath(),
                    request.prologue().protocolVersion(),
                    code,
                    String.format(Locale.ROOT, "%.1f", seconds * 1e3),
                    request.remotePeer().host());
        }
    }
}
