package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.status.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the catalog in step with the CustomResourceDefinitions that are stored, and writes their status. */
public final class DefinitionController implements Api.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionController.class);
    private static final Api.Resource DEFINITIONS =
            new Api.Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    private static final int ATTEMPTS = 5;

    private final Api api;
    private final LiveCatalog catalog;
    private final InstantSource clock;
    private Optional<Api.Subscription> subscription = Optional.empty();

    public DefinitionController(Api api, LiveCatalog catalog, InstantSource clock) {
        this.api = api;
        this.catalog = catalog;
        this.clock = clock;
    }

    /** The definitions of device kinds that this server has from the start. */
    public static List<ObjectNode> builtIn() {
        try (var resource = DefinitionController.class.getResourceAsStream("/dev/berth/apiserver/definitions.yaml")) {
            if (resource == null) throw new IllegalStateException("the built-in definitions are not on the class path");
            var mapper = new YAMLMapper();
            List<ObjectNode> all = new ArrayList<>();
            try (var documents = mapper.readerFor(ObjectNode.class).<ObjectNode>readValues(resource)) {
                while (documents.hasNext()) all.add(documents.next());
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stores what is missing of the built-in definitions, serves all that are stored, and follows them from then on.
     */
    public void start() {
        for (ObjectNode definition : builtIn()) {
            String name = definition.at("/metadata/name").asText();
            if (api.get(DEFINITIONS, "", name).isEmpty()) api.create(DEFINITIONS, "", definition);
        }
        api.list(DEFINITIONS, "", Map.of()).forEach(this::changed);
        subscription = Optional.of(api.watch(DEFINITIONS, this));
    }

    @Override
    public void changed(ObjectNode definition) {
        String name = definition.at("/metadata/name").asText();
        ObjectNode current = definition;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                settle(current);
                return;
            } catch (ApiException e) {
                if (e.code() != 409 && e.code() != 404) LOG.warn("definition={} not settled: {}", name, e.getMessage());
                var fresh = api.get(DEFINITIONS, "", name);
                if (fresh.isEmpty()) return;
                current = fresh.get();
            }
        }
        LOG.warn("definition={} not settled after {} attempts; its next change tries again", name, ATTEMPTS);
    }

    private void settle(ObjectNode definition) {
        ObjectNode status = NameClaims.settle(definition, catalog.definitions().values(), clock.instant());
        if (!status.equals(definition.path("status"))) {
            definition.set("status", status);
            // Served before it is announced: who waits for Established may use it at once.
            if (NameClaims.isTrue(definition, "Established")) catalog.define(definition);
            api.updateStatus(DEFINITIONS, definition);
        } else if (NameClaims.isTrue(definition, "Established")) {
            catalog.define(definition);
        }
    }

    /** What was stored of a kind goes with its definition. */
    @Override
    public void deleted(ObjectNode definition) {
        String name = definition.at("/metadata/name").asText();
        for (ResourceType type : catalog.all()) {
            if (type.qualifiedPlural().equals(name)) {
                removeAll(new Api.Resource(type.group(), type.version(), type.plural()));
                break;
            }
        }
        catalog.undefine(name);
    }

    private void removeAll(Api.Resource resource) {
        for (ObjectNode object : api.list(resource, "", Map.of())) {
            JsonNode metadata = object.path("metadata");
            try {
                api.delete(
                        resource,
                        metadata.path("namespace").asText(),
                        metadata.path("name").asText(),
                        Api.Deletion.of(metadata.path("uid").asText()));
            } catch (ApiException e) {
                LOG.warn(
                        "object={} of a removed definition stays: {}",
                        metadata.path("name").asText(),
                        e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        subscription.ifPresent(Api.Subscription::close);
    }
}
