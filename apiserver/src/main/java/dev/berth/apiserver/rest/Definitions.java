package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api;
import dev.berth.apiserver.kinds.LiveCatalog;
import dev.berth.apiserver.kinds.NameClaims;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves what custom resource definitions declare, as soon as they are stored, and removes it with them. */
public final class Definitions implements Api.Listener, AutoCloseable {
    static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

    private static final Logger log = LoggerFactory.getLogger(Definitions.class);
    private static final Api.Resource RESOURCE =
            new Api.Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions");

    private final LiveCatalog catalog;
    private final Rooms rooms;
    private final Verbs verbs;
    private final Call call = Call.internal("kube-apiserver");
    private final Api.Subscription subscription;

    Definitions(LiveCatalog catalog, Rooms rooms, Verbs verbs, Api api) {
        this.catalog = catalog;
        this.rooms = rooms;
        this.verbs = verbs;
        // What was kept over a restart is served from the first request on.
        for (ObjectNode each : api.list(RESOURCE, "", Map.of())) {
            if (NameClaims.isEstablished(each.path("status"))) catalog.define(each);
        }
        this.subscription = api.watch(RESOURCE, this);
    }

    @Override
    public void changed(ObjectNode definition) {
        String name = Metadata.text(definition, "name");
        if (Metadata.deleting(definition)) {
            remove(definition);
            return;
        }
        ObjectNode status = NameClaims.settle(definition, catalog, rooms.clock().instant());
        try {
            // Served before it is announced: who waits for Established may use it at once.
            if (NameClaims.isEstablished(status)) catalog.define(definition);
        } catch (RuntimeException unusable) {
            log.warn("definition={} cannot be served", name, unusable);
            return;
        }
        if (!status.equals(definition.path("status"))) amend(name, this::settled);
    }

    @Override
    public void deleted(ObjectNode definition) {
        catalog.undefine(Metadata.text(definition, "name"));
    }

    /** First the objects go, then the definition, so that nothing is left that nobody can address. */
    private void remove(ObjectNode definition) {
        String name = Metadata.text(definition, "name");
        String group = definition.path("spec").path("group").asText();
        String plural = definition.path("spec").path("names").path("plural").asText();
        for (JsonNode version : definition.path("spec").path("versions")) {
            catalog.byPath(group, version.path("name").asText(), plural).ifPresent(this::removeObjects);
        }
        catalog.undefine(name);
        amend(name, live -> {
            Metadata.removeFinalizer(live, FINALIZER);
            return live;
        });
    }

    private void removeObjects(ResourceType type) {
        for (ObjectNode each : new InProcessApi(rooms, verbs).list(type, "", Map.of())) {
            try {
                verbs.delete(
                        type, Metadata.text(each, "namespace"), Metadata.text(each, "name"), DeleteOptions.PLAIN, call);
            } catch (ApiException gone) {
                if (gone.code() != 404) log.warn("object={} was not removed", Metadata.text(each, "name"), gone);
            }
        }
    }

    private void amend(String name, Update.Edit edit) {
        ResourceType type = catalog.byPath(RESOURCE.group(), RESOURCE.version(), RESOURCE.plural())
                .orElseThrow();
        try {
            verbs.amend(type, "", name, edit, call);
        } catch (ApiException gone) {
            if (gone.code() != 404) throw gone;
        }
    }

    private ObjectNode settled(ObjectNode definition) {
        definition.set(
                "status", NameClaims.settle(definition, catalog, rooms.clock().instant()));
        return definition;
    }

    @Override
    public void close() {
        subscription.close();
    }
}
