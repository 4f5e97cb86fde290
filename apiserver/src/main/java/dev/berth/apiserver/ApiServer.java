package dev.berth.apiserver;

import dev.berth.apiserver.admission.AdmissionChain;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.controller.Controllers;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.rest.Front;
import dev.berth.apiserver.rest.Gate;
import dev.berth.apiserver.rest.NamespaceLabels;
import dev.berth.apiserver.rest.Pipeline;
import dev.berth.apiserver.rest.TakenAddresses;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.store.Store;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.health.Metrics;
import dev.berth.web.tls.TlsSource.ClientCertificates;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running API server. */
public final class ApiServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ApiServer.class);
    private static final String LISTENER = "apiserver";
    private static final long LARGEST_BODY = 3L << 20;
    private static final String SERVICE_RANGE = "10.96.0.0/16";
    private static final int MOST_REQUESTS = 10_000;

    private final ApiServerSettings settings;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Store store;
    private final Pipeline pipeline;
    private final HttpServer http;

    private ApiServer(ApiServerSettings settings) {
        this.settings = settings;
        InstantSource clock = InstantSource.system();
        store = opened(open(settings));
        var catalog = new LiveCatalog(Schemas.load());
        var rules = new Rules(clock, SERVICE_RANGE, new TakenAddresses(store), new NamespaceLabels(store));
        var gate = new Gate(settings.tokens(), asksForCertificates(settings));
        pipeline = opened(new Pipeline(
                catalog,
                store,
                rules,
                lookup -> opened(new AdmissionChain(lookup, catalog, rules)),
                gate,
                clock,
                stopping::get));
        FirstObjects.create(pipeline.api());
        if (settings.controllers()) {
            opened(Controllers.start(pipeline.api(), catalog, clock, settings.certificateAuthority()));
        }
        http = opened(HttpServer.start(List.of(listener())));
    }

    public static ApiServer start(ApiServerSettings settings) {
        return new ApiServer(settings);
    }

    private <T extends AutoCloseable> T opened(T part) {
        parts.push(part);
        return part;
    }

    private static boolean asksForCertificates(ApiServerSettings settings) {
        return settings.tls().isPresent() && settings.tls().get().clientCertificates() != ClientCertificates.IGNORED;
    }

    private static Store open(ApiServerSettings settings) {
        if (settings.dataDir().isEmpty()) return Store.inMemory();
        try {
            return Store.in(settings.dataDir().get());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the state cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    private Listener listener() {
        Limits limits = Limits.DEFAULT
                .withMaxBodyBytes(LARGEST_BODY)
                .withMaxConcurrentRequests(MOST_REQUESTS)
                .withDrainTimeout(Duration.ofSeconds(5));
        return new Listener(
                LISTENER, settings.bindAddress(), settings.port(), settings.tls(), limits, this::routes, Front.ERRORS);
    }

    private void routes(HttpRouting.Builder routing) {
        new Metrics().addTo(routing);
        pipeline.front().routes(routing);
    }

    /** Where it listens: {@code http://127.0.0.1:55441}. */
    public String url() {
        String scheme = settings.tls().isPresent() ? "https" : "http";
        return scheme + "://" + settings.bindAddress() + ":" + http.port(LISTENER);
    }

    /** What a client needs to get here, as YAML. */
    public String kubeconfig() {
        return Kubeconfig.of(url(), settings);
    }

    /** The same verbs without HTTP. */
    public Api api() {
        return pipeline.api();
    }

    @Override
    public void close() {
        stopping.set(true);
        store.wake();
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception failed) {
                log.warn("part={} was not closed", part.getClass().getSimpleName(), failed);
            }
        }
    }
}
