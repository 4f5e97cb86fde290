package dev.berth.advisor.webhook;

import dev.berth.web.admission.JsonPointer;

/**
 * Where the pod is in what is admitted.
 *
 * @param template whether it is the template of one; otherwise what is admitted is the pod
 */
record Place(boolean template, JsonPointer spec, JsonPointer annotations, JsonPointer labels) {
    static final Place POD = at(false);
    static final Place TEMPLATE = at(true, "spec", "template");

    private static Place at(boolean template, String... root) {
        var start = JsonPointer.of(root);
        var metadata = start.with("metadata");
        return new Place(template, start.with("spec"), metadata.with("annotations"), metadata.with("labels"));
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
