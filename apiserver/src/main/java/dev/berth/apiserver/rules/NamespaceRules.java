package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.itemsAt;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a Namespace. */
final class NamespaceRules implements KindRules {
    private static final String NAME_LABEL = "kubernetes.io/metadata.name";
    private static final String FINALIZER = "kubernetes";

    @Override
    public void applyDefaults(ObjectNode namespace) {
        ObjectNode metadata = objectAt(namespace, "metadata");
        String name = text(metadata, "name");
        if (!name.isEmpty()) objectAt(metadata, "labels").put(NAME_LABEL, name);
        defaultText(objectAt(namespace, "status"), "phase", "Active");
    }

    @Override
    public void prepareForCreate(ObjectNode namespace) {
        // A generated name was not known when defaults were applied.
        applyDefaults(namespace);
        namespace.putObject("status").put("phase", "Active");
        var finalizers = itemsAt(objectAt(namespace, "spec"), "finalizers");
        for (JsonNode each : finalizers) if (each.asText().equals(FINALIZER)) return;
        finalizers.add(FINALIZER);
    }

    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        Metadata.keepFrom(at(old, "spec"), objectAt(next, "spec"), "finalizers");
    }

    @Override
    public List<FieldError> validate(ObjectNode namespace) {
        var errors = new Errors();
        for (JsonNode each : items(at(namespace, "spec"), "finalizers")) finalizer(each.asText(), errors);
        return errors.list();
    }

    private static void finalizer(String name, Errors errors) {
        errors.invalid("spec.finalizers", name, Names.qualified(name));
        if (Names.qualified(name).isEmpty() && name.indexOf('/') < 0 && !name.equals(FINALIZER))
            errors.invalid(
                    "spec.finalizers", name, "name is neither a standard finalizer name nor is it fully qualified");
    }
}
