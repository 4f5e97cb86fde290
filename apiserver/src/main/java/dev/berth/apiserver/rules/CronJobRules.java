package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentFlag;
import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.time.ZoneId;
import java.util.List;

/** What Kubernetes knows of a CronJob. */
final class CronJobRules implements KindRules {
    private static final List<String> POLICIES = List.of("Allow", "Forbid", "Replace");

    @Override
    public void applyDefaults(ObjectNode job) {
        ObjectNode spec = objectAt(job, "spec");
        JobRules.templateDefaults(objectAt(objectAt(spec, "jobTemplate"), "spec"));
        defaultText(spec, "concurrencyPolicy", "Allow");
        absentFlag(spec, "suspend", false);
        absentNumber(spec, "successfulJobsHistoryLimit", 3);
        absentNumber(spec, "failedJobsHistoryLimit", 1);
    }

    @Override
    public List<FieldError> validate(ObjectNode job) {
        var errors = new Errors();
        spec(at(job, "spec"), errors);
        String name = text(at(job, "metadata"), "name");
        if (name.length() > 52) errors.invalid("metadata.name", name, Names.tooLong(52));
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        spec(at(next, "spec"), errors);
        return errors.list();
    }

    private static void spec(JsonNode spec, Errors errors) {
        schedule(text(spec, "schedule"), errors);
        ReplicaCheck.notNegative(spec, "spec", List.of("startingDeadlineSeconds"), errors);
        timeZone(text(spec, "timeZone"), errors);
        String policy = text(spec, "concurrencyPolicy");
        if (!POLICIES.contains(policy)) errors.notSupported("spec.concurrencyPolicy", policy, POLICIES);
        JsonNode job = at(at(spec, "jobTemplate"), "spec");
        JobRules.spec(job, "spec.jobTemplate.spec", errors);
        if (has(job, "selector"))
            errors.invalid("spec.jobTemplate.spec.selector", at(job, "selector"), "`selector` will be auto-generated");
        if (flag(job, "manualSelector"))
            errors.add(new FieldError(
                    "FieldValueNotSupported",
                    "spec.jobTemplate.spec.manualSelector",
                    "Unsupported value: true: supported values: \"nil\", \"false\""));
        ReplicaCheck.notNegative(spec, "spec", List.of("successfulJobsHistoryLimit", "failedJobsHistoryLimit"), errors);
    }

    /** Only the number of fields is checked; what stands in them is left to whoever runs the jobs. */
    private static void schedule(String schedule, Errors errors) {
        if (schedule.isEmpty()) {
            errors.required("spec.schedule", "");
            return;
        }
        String[] fields = schedule.strip().split("\\s+");
        if (!schedule.startsWith("@") && fields.length != 5)
            errors.invalid(
                    "spec.schedule",
                    schedule,
                    "expected exactly 5 fields, found %d: [%s]".formatted(fields.length, String.join(" ", fields)));
        if (schedule.contains("TZ"))
            errors.invalid(
                    "spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    }

    private static void timeZone(String zone, Errors errors) {
        if (zone.isEmpty() || ZoneId.getAvailableZoneIds().contains(zone)) return;
        errors.invalid("spec.timeZone", zone, "unknown time zone " + zone);
    }
}
