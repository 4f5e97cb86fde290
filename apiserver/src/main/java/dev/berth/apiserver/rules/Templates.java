package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What holds for the pod templates in workloads. */
final class Templates {
    private Templates() {}

    static void applyDefaults(ObjectNode spec) {
        PodSpecDefaults.apply(objectAt(objectAt(spec, "template"), "spec"));
    }

    static void matching(JsonNode spec, JsonNode template, String path, Errors errors) {
        JsonNode labels = at(at(template, "metadata"), "labels");
        JsonNode selector = at(spec, "selector");
        if (!Selectors.matches(selector, labels))
            errors.invalid(path + ".metadata.labels", labels, "`selector` does not match template `labels`");
    }

    static void check(JsonNode template, String path, Errors errors) {
        JsonNode metadata = at(template, "metadata");
        Metadata.labels(at(metadata, "labels"), path + ".labels", errors);
        Metadata.annotations(at(metadata, "annotations"), path + ".annotations", errors);
        PodSpecCheck.run(at(template, "spec"), path + ".spec", errors);
        if (!at(at(template, "spec"), "ephemeralContainers").isEmpty())
            errors.forbidden(path + ".spec.ephemeralContainers", "ephemeral containers not allowed in pod template");
    }

    /** For workloads whose pods never end. */
    static void alwaysRestarted(JsonNode template, String path, String kind, Errors errors) {
        JsonNode spec = at(template, "spec");
        if (!text(spec, "restartPolicy").equals("Always"))
            errors.notSupported(path + ".spec.restartPolicy", text(spec, "restartPolicy"), List.of("Always"));
        if (has(spec, "activeDeadlineSeconds"))
            errors.forbidden(
                    path + ".spec.activeDeadlineSeconds", "activeDeadlineSeconds in " + kind + " is not Supported");
    }
}
