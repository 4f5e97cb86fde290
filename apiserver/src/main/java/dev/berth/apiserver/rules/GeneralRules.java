package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.objectAt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.ResourceType;
import dev.berth.apiserver.status.ApiException;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** The rules that hold for every kind, around those that a kind adds. */
final class GeneralRules implements KindRules {
    private final ResourceType type;
    private final Shape.Struct shape;
    private final Traits traits;
    private final KindRules own;

    GeneralRules(ResourceType type, Shape.Struct shape, Traits traits, KindRules own) {
        this.type = type;
        this.shape = shape;
        this.traits = traits;
        this.own = own;
    }

    @Override
    public void applyDefaults(ObjectNode object) {
        try {
            GoForm.bring(object, shape);
        } catch (GoForm.Mismatch mismatch) {
            throw ApiException.badRequest("%s in version \"%s\" cannot be handled as a %s: %s"
                    .formatted(type.kind(), type.version(), type.kind(), mismatch.sentence()));
        }
        own.applyDefaults(object);
    }

    @Override
    public void prepareForCreate(ObjectNode object) {
        ObjectNode metadata = objectAt(object, "metadata");
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"));
        if (traits.dropsStatus()) resetStatus(object);
        own.prepareForCreate(object);
        if (traits.countsGenerations()) metadata.put("generation", 1);
    }

    private void resetStatus(ObjectNode object) {
        Shape.Field status = shape.field("status");
        if (status != null && status.shape() instanceof Shape.Struct struct) object.set("status", GoForm.zero(struct));
        else object.remove("status");
    }

    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        Metadata.keep(next, old);
        if (traits.hasStatus()) Metadata.keepFrom(old, next, "status");
        own.prepareForUpdate(next, old);
        if (traits.countsGenerations() && traits.changed(next, old)) {
            ObjectNode metadata = objectAt(next, "metadata");
            metadata.put("generation", Math.toIntExact(number(at(old, "metadata"), "generation") + 1));
        }
    }

    @Override
    public void prepareForStatusUpdate(ObjectNode next, ObjectNode old) {
        Metadata.keep(next, old);
        next.properties().removeIf(entry -> !isOpenToStatus(entry.getKey()) && old.get(entry.getKey()) == null);
        for (var entry : old.properties())
            if (!isOpenToStatus(entry.getKey())) next.set(entry.getKey(), entry.getValue());
        own.prepareForStatusUpdate(next, old);
    }

    private static boolean isOpenToStatus(String field) {
        return field.equals("metadata") || field.equals("status");
    }

    @Override
    public List<FieldError> validate(ObjectNode object) {
        var errors = new Errors();
        Metadata.validate(at(object, "metadata"), type.namespaced(), traits.names(), "metadata", errors);
        if (traits.builtIn()) Metadata.knownFinalizers(at(object, "metadata"), errors);
        errors.addAll(own.validate(object));
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = metadataOfUpdate(next, old);
        errors.addAll(own.validateUpdate(next, old));
        return errors.list();
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = metadataOfUpdate(next, old);
        errors.addAll(own.validateStatusUpdate(next, old));
        return errors.list();
    }

    private Errors metadataOfUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode metadata = at(next, "metadata");
        Metadata.validate(metadata, type.namespaced(), Names::pathSegment, "metadata", errors);
        Metadata.validateUpdate(metadata, at(old, "metadata"), errors);
        // The real server looks a second time with the kind's own rules: its causes name these errors twice.
        if (!errors.none()) Metadata.validateUpdate(metadata, at(old, "metadata"), errors);
        return errors;
    }
}
