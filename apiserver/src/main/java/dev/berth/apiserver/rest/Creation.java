package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.admission.AdmissionAttributes;
import dev.berth.apiserver.admission.AdmissionAttributes.Operation;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.patch.FieldManager;
import dev.berth.apiserver.rules.KindRules;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import dev.berth.apiserver.store.Draft;
import dev.berth.apiserver.store.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How an object comes into being: the way of a POST, from the decoded body to the store. */
final class Creation {
    private static final int MOST_GENERATED_NAMES = 8;
    private static final List<String> SET_BY_THE_SERVER =
            List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "resourceVersion");

    private final Rooms rooms;

    Creation(Rooms rooms) {
        this.rooms = rooms;
    }

    Stored create(ResourceType type, String namespace, ObjectNode object, Call call) {
        placeIn(type, namespace, object);
        KindRules rules = rooms.rules().of(type);
        rules.applyDefaults(object);
        Instant now = rooms.clock().instant();
        new FieldManager(call.manager(), type, "", now).recordUpdate(null, object);
        return admitAndStore(type, namespace, object, call);
    }

    /** The way from where the managed fields are known; server-side apply joins here. */
    Stored admitAndStore(ResourceType type, String namespace, ObjectNode object, Call call) {
        String name = Metadata.text(object, "name");
        var attributes = new AdmissionAttributes(
                Operation.CREATE, type, "", namespace, name, null, call.dryRun(), call.user(), call.options());
        ObjectNode admitted = rooms.admission().mutate(attributes, object, call.warnings());
        ObjectNode next = admitted == null ? object : admitted;
        return store(type, namespace, next, attributes, call);
    }

    private Stored store(
            ResourceType type, String namespace, ObjectNode object, AdmissionAttributes attributes, Call call) {
        KindRules rules = rooms.rules().of(type);
        ObjectNode metadata = Metadata.of(object);
        String base = metadata.path("generateName").asText("");
        boolean generated = metadata.path("name").asText("").isEmpty() && !base.isEmpty();
        if (generated) metadata.put("name", Names.generate(base));
        stamp(metadata);
        // After the stamp: a job's rules take its name and uid into its labels.
        rules.prepareForCreate(object);
        List<FieldError> errors = new ArrayList<>(rules.validate(object));
        errors.addAll(rooms.custom().validate(type, object, null));
        if (!errors.isEmpty()) throw invalid(type, object, errors);
        requireName(type, metadata);
        rooms.admission().validate(attributes, object, call.warnings());
        for (int attempt = 1; ; attempt++) {
            String name = metadata.path("name").asText("");
            String key = Repository.key(type, namespace, name);
            Draft draft = rooms.repository().draft(type, object);
            Optional<Stored> stored = call.dryRun()
                    ? preview(type, key, draft)
                    : rooms.repository().store().create(rooms.repository().table(type), key, draft);
            if (stored.isPresent()) return stored.get();
            if (!generated || attempt == MOST_GENERATED_NAMES) throw ApiException.alreadyExists(type, name);
            metadata.put("name", Names.generate(base));
        }
    }

    /** A custom object of another kind is called by the name that it gives itself. */
    private static ApiException invalid(ResourceType type, ObjectNode object, List<FieldError> errors) {
        String name = Metadata.text(object, "name");
        String kind = object.path("kind").asText(type.kind());
        return kind.equals(type.kind())
                ? ApiException.invalid(type, name, errors)
                : ApiException.invalid(type.group(), kind, name, errors);
    }

    private Optional<Stored> preview(ResourceType type, String key, Draft draft) {
        boolean taken = rooms.repository()
                .store()
                .get(rooms.repository().table(type), key)
                .isPresent();
        return taken ? Optional.empty() : Optional.of(draft.preview());
    }

    private void stamp(ObjectNode metadata) {
        metadata.put("uid", rooms.uids().get());
        metadata.put("creationTimestamp", Metadata.time(rooms.clock().instant()));
    }

    private static void requireName(ResourceType type, ObjectNode metadata) {
        if (!metadata.path("name").asText("").isEmpty()) return;
        throw ApiException.invalid(
                type, "", List.of(FieldError.required("metadata.name", "name or generateName is required")));
    }

    private static void placeIn(ResourceType type, String namespace, ObjectNode object) {
        ObjectNode metadata = Metadata.of(object);
        if (!metadata.path("resourceVersion").asText("").isEmpty()) {
            throw new ApiException(500, "", "resourceVersion should not be set on objects to be created", null);
        }
        metadata.remove(SET_BY_THE_SERVER);
        String own = metadata.path("namespace").asText("");
        if (!type.namespaced()) {
            metadata.remove("namespace");
            return;
        }
        if (own.isEmpty()) metadata.put("namespace", namespace);
        else if (!own.equals(namespace)) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }
}
