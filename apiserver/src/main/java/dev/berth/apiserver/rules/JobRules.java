package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentFlag;
import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a Job. */
final class JobRules implements KindRules {
    private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
    private static final List<String> NAME_LABELS = List.of("job-name", "batch.kubernetes.io/job-name");
    private static final List<String> UID_LABELS = List.of("controller-uid", UID_LABEL);
    private static final List<String> MODES = List.of("NonIndexed", "Indexed");
    private static final List<String> ENDING = List.of("OnFailure", "Never");
    private static final List<String> FIXED =
            List.of("completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy");

    @Override
    public void applyDefaults(ObjectNode job) {
        ObjectNode spec = objectAt(job, "spec");
        templateDefaults(spec);
        if (!has(spec, "completions") && !has(spec, "parallelism")) spec.put("completions", 1);
        absentNumber(spec, "parallelism", 1);
        absentNumber(spec, "backoffLimit", has(spec, "backoffLimitPerIndex") ? Integer.MAX_VALUE : 6);
        labelLikeTemplate(job);
        absentText(spec, "completionMode", "NonIndexed");
        absentFlag(spec, "suspend", false);
        absentText(spec, "podReplacementPolicy", has(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        absentFlag(spec, "manualSelector", false);
    }

    private static void labelLikeTemplate(ObjectNode job) {
        JsonNode labels = at(at(at(at(job, "spec"), "template"), "metadata"), "labels");
        ObjectNode metadata = objectAt(job, "metadata");
        if (labels.isObject() && at(metadata, "labels").isEmpty()) metadata.set("labels", labels.deepCopy());
    }

    /** What a job's template in a CronJob gets as well. */
    static void templateDefaults(ObjectNode spec) {
        Templates.applyDefaults(spec);
        for (JsonNode rule : items(at(spec, "podFailurePolicy"), "rules"))
            for (JsonNode each : items(rule, "onPodConditions"))
                if (each instanceof ObjectNode pattern) Tree.defaultText(pattern, "status", "True");
    }

    @Override
    public void prepareForCreate(ObjectNode job) {
        ObjectNode spec = objectAt(job, "spec");
        if (flag(spec, "manualSelector")) return;
        JsonNode metadata = at(job, "metadata");
        ObjectNode labels = objectAt(objectAt(objectAt(spec, "template"), "metadata"), "labels");
        // Labels that the job took from its template are one map in the real server, and grow with it.
        boolean shared = labels.equals(metadata.get("labels"));
        for (String label : NAME_LABELS) absentText(labels, label, text(metadata, "name"));
        for (String label : UID_LABELS) absentText(labels, label, text(metadata, "uid"));
        absentText(objectAt(objectAt(spec, "selector"), "matchLabels"), UID_LABEL, text(metadata, "uid"));
        if (shared) objectAt(job, "metadata").remove("labels");
        // The real server comes to this when it reads the job back.
        labelLikeTemplate(job);
    }

    @Override
    public List<FieldError> validate(ObjectNode job) {
        var errors = new Errors();
        JsonNode spec = at(job, "spec");
        if (!flag(spec, "manualSelector")) generated(at(job, "metadata"), spec, errors);
        whole(spec, errors);
        long completions = number(spec, "completions");
        String name = text(at(job, "metadata"), "name");
        String hostname = name + "-" + (completions - 1);
        if (text(spec, "completionMode").equals("Indexed")
                && completions > 0
                && !Names.label(hostname).isEmpty())
            errors.invalid("metadata.name", name, "will not able to create pod with invalid DNS label: " + hostname);
        return errors.list();
    }

    private static void generated(JsonNode metadata, JsonNode spec, Errors errors) {
        JsonNode labels = at(at(at(spec, "template"), "metadata"), "labels");
        String uid = text(metadata, "uid");
        for (String label : UID_LABELS) hasLabel(labels, label, uid, errors);
        for (String label : NAME_LABELS) hasLabel(labels, label, text(metadata, "name"), errors);
        JsonNode selector = at(spec, "selector");
        JsonNode matched = at(selector, "matchLabels");
        boolean own = matched.size() == 1 && text(matched, UID_LABEL).equals(uid);
        if (!own || !items(selector, "matchExpressions").isEmpty())
            errors.invalid("spec.selector", InSelector.ordered(selector), "`selector` not auto-generated");
    }

    private static void hasLabel(JsonNode labels, String label, String value, Errors errors) {
        if (!text(labels, label).equals(value))
            errors.invalid(
                    "spec.template.metadata.labels[" + label + "]", text(labels, label), "must be '" + value + "'");
    }

    private static void whole(JsonNode spec, Errors errors) {
        spec(spec, "spec", errors);
        JsonNode selector = at(spec, "selector");
        if (selector.isMissingNode()) errors.required("spec.selector", "");
        AffinityCheck.labelSelector(selector, "spec.selector", errors);
        JsonNode labels = at(at(at(spec, "template"), "metadata"), "labels");
        if (!Selectors.matches(selector, labels))
            errors.invalid(
                    "spec.template.metadata.labels",
                    InSelector.sorted(labels),
                    "`selector` does not match template `labels`");
    }

    static void spec(JsonNode spec, String path, Errors errors) {
        ReplicaCheck.notNegative(
                spec,
                path,
                List.of(
                        "parallelism",
                        "completions",
                        "activeDeadlineSeconds",
                        "backoffLimit",
                        "ttlSecondsAfterFinished",
                        "backoffLimitPerIndex",
                        "maxFailedIndexes"),
                errors);
        mode(spec, path, errors);
        Templates.check(at(spec, "template"), path + ".template", errors);
        String restart = text(at(at(spec, "template"), "spec"), "restartPolicy");
        String at = path + ".template.spec.restartPolicy";
        if (restart.isEmpty() || restart.equals("Always"))
            errors.required(at, "valid values: \"OnFailure\", \"Never\"");
        else if (!ENDING.contains(restart)) errors.notSupported(at, restart, ENDING);
        else if (has(spec, "podFailurePolicy") && !restart.equals("Never"))
            errors.invalid(at, restart, "only \"Never\" is supported when podFailurePolicy is specified");
    }

    private static void mode(JsonNode spec, String path, Errors errors) {
        if (has(spec, "maxFailedIndexes") && !has(spec, "backoffLimitPerIndex"))
            errors.required(path + ".backoffLimitPerIndex", "when maxFailedIndexes is specified");
        String mode = text(spec, "completionMode");
        if (!mode.isEmpty() && !MODES.contains(mode)) errors.notSupported(path + ".completionMode", mode, MODES);
        if (mode.equals("Indexed") && !has(spec, "completions"))
            errors.required(path + ".completions", "when completion mode is Indexed");
        if (mode.equals("Indexed") && number(spec, "parallelism") > 100_000)
            errors.invalid(
                    path + ".parallelism",
                    number(spec, "parallelism"),
                    "must be less than or equal to 100000 when completion mode is Indexed");
        if (mode.equals("Indexed")) return;
        for (String field : List.of("backoffLimitPerIndex", "maxFailedIndexes"))
            if (mode.equals("NonIndexed") && has(spec, field))
                errors.invalid(path + "." + field, number(spec, field), "requires indexed completion mode");
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode spec = at(next, "spec");
        JsonNode before = at(old, "spec");
        whole(spec, errors);
        completions(spec, before, errors);
        if (!at(spec, "selector").equals(at(before, "selector")))
            errors.invalid("spec.selector", InSelector.ordered(at(spec, "selector")), Metadata.IMMUTABLE);
        template(spec, before, errors);
        for (String field : FIXED)
            if (!at(spec, field).equals(at(before, field)))
                errors.invalid(
                        "spec." + field,
                        at(InternalForm.of("batch.JobSpec", spec), capital(field)),
                        Metadata.IMMUTABLE);
        return errors.list();
    }

    private static String capital(String field) {
        return Character.toUpperCase(field.charAt(0)) + field.substring(1);
    }

    private static void completions(JsonNode spec, JsonNode before, Errors errors) {
        JsonNode completions = at(spec, "completions");
        if (completions.equals(at(before, "completions"))) return;
        boolean indexed = text(spec, "completionMode").equals("Indexed");
        if (!indexed) errors.invalid("spec.completions", completions, Metadata.IMMUTABLE);
        else if (!completions.isMissingNode() && completions.asLong() != number(spec, "parallelism"))
            errors.invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism");
    }

    private static void template(JsonNode spec, JsonNode before, Errors errors) {
        JsonNode template = at(spec, "template");
        JsonNode old = at(before, "template");
        // A job that was suspended and never started may still be pointed elsewhere.
        if (flag(before, "suspend")) {
            template = directed(template);
            old = directed(old);
        }
        if (!template.equals(old))
            errors.invalid(
                    "spec.template", InternalForm.of("core.PodTemplateSpec", at(spec, "template")), Metadata.IMMUTABLE);
    }

    private static JsonNode directed(JsonNode template) {
        if (!(template.deepCopy() instanceof ObjectNode copy)) return template;
        objectAt(copy, "metadata").remove(List.of("labels", "annotations"));
        ObjectNode spec = objectAt(copy, "spec");
        spec.remove(List.of("nodeSelector", "tolerations", "schedulingGates"));
        if (spec.get("affinity") instanceof ObjectNode affinity) {
            affinity.remove("nodeAffinity");
            if (affinity.isEmpty()) spec.remove("affinity");
        }
        for (String list : List.of("containers", "initContainers"))
            for (JsonNode container : items(spec, list)) ((ObjectNode) container).remove("resources");
        return copy;
    }
}
