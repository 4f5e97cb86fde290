package dev.berth.apiserver;

import dev.berth.apiserver.admission.AdmissionChain;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.controller.Controllers;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.Schemas;
import dev.berth.apiserver.rest.Front;
import dev.berth.apiserver.rest.Gate;
import dev.berth.apiserver.rest.Pipeline;
import dev.berth.apiserver.rules.Rules;
import dev.berth.apiserver.store.Store;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A running API server. */
public final class ApiServer implements AutoCloseable {
    private static final String LISTENER = "apiserver";
    private static final long LARGEST_BODY = 3L << 20;

    private final ApiServerSettings settings;
    private final Store store;
    private final Pipeline pipeline;
    private final Optional<Controllers> controllers;
    private final HttpServer http;
    private final AtomicBoolean stopping;

    private ApiServer(
            ApiServerSettings settings,
            Store store,
            Pipeline pipeline,
            Optional<Controllers> controllers,
            HttpServer http,
            AtomicBoolean stopping) {
        this.settings = settings;
        this.store = store;
        this.pipeline = pipeline;
        this.controllers = controllers;
        this.http = http;
        this.stopping = stopping;
    }

    public static ApiServer start(ApiServerSettings settings) {
        var stopping = new AtomicBoolean();
        Store store = open(settings);
        var catalog = new LiveCatalog(Schemas.load());
        var rules = new Rules();
        var pipeline = new Pipeline(
                catalog,
                store,
                rules,
                lookup -> new AdmissionChain(lookup, catalog, rules),
                new Gate(Map.of(), false),
                InstantSource.system(),
                stopping::get);
        FirstObjects.create(pipeline.api());
        Optional<Controllers> controllers = settings.controllers()
                ? Optional.of(Controllers.start(pipeline.api(), catalog, InstantSource.system(), ""))
                : Optional.empty();
        Limits limits = Limits.DEFAULT
                .withMaxBodyBytes(LARGEST_BODY)
                .withMaxConcurrentRequests(10_000)
                .withDrainTimeout(Duration.ofSeconds(5));
        var listener = new Listener(
                LISTENER,
                settings.bindAddress(),
                settings.port(),
                Optional.empty(),
                limits,
                pipeline.front()::routes,
                Front.ERRORS);
        HttpServer http = HttpServer.start(List.of(listener));
        return new ApiServer(settings, store, pipeline, controllers, http, stopping);
    }

    private static Store open(ApiServerSettings settings) {
        if (settings.dataDir().isEmpty()) return Store.inMemory();
        try {
            return Store.in(settings.dataDir().get());
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the state cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** Where it listens: {@code http://127.0.0.1:55441}. */
    public String url() {
        return "http://" + settings.bindAddress() + ":" + http.port(LISTENER);
    }

    /** What a client needs to get here, as YAML. */
    public String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: berth
                  cluster:
                    server: %s
                contexts:
                - name: berth
                  context:
                    cluster: berth
                    user: berth
                current-context: berth
                users:
                - name: berth
                  user: {}
                """.formatted(url());
    }

    /** The same verbs without HTTP. */
    public Api api() {
        return pipeline.api();
    }

    @Override
    public void close() {
        stopping.set(true);
        http.close();
        controllers.ifPresent(Controllers::close);
        pipeline.close();
        store.close();
    }
}
