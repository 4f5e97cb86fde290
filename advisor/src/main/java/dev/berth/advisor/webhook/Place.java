package dev.berth.advisor.webhook;

import dev.berth.web.admission.JsonPointer;

/** Where the pod is in what is admitted: it is a pod, or it has a template of one. */
enum Place {
    POD,
    TEMPLATE("spec", "template");

    private final JsonPointer spec;
    private final JsonPointer annotations;
    private final JsonPointer labels;

    Place(String... root) {
        var start = JsonPointer.of(root);
        spec = start.with("spec");
        annotations = start.with("metadata").with("annotations");
        labels = start.with("metadata").with("labels");
    }

    JsonPointer spec(String field) {
        return spec.with(field);
    }

    JsonPointer annotation(String key) {
        return annotations.with(key);
    }

    JsonPointer label(String key) {
        return labels.with(key);
    }
}
