package dev.berth.apiserver.admission;

import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.CREATE;
import static dev.berth.apiserver.admission.AdmissionAttributes.Operation.UPDATE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Resource;
import dev.berth.apiserver.status.ApiException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resolves a pod's priority class to its number and preemption policy; at most one class is the default. */
record Priority(Lookup lookup) implements Plugin {
    private static final Resource CLASSES = new Resource("scheduling.k8s.io", "v1", "priorityclasses");

    private record Resolved(String className, int value, Optional<String> preemptionPolicy) {}

    @Override
    public void admit(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (object == null || !attributes.subresource().isEmpty() || !attributes.concerns("", "pods")) return;
        if (!(object.get("spec") instanceof ObjectNode spec)) return;
        if (attributes.operation() == CREATE) resolve(attributes, object, spec);
        if (attributes.operation() == UPDATE && attributes.old() != null) keep(spec, attributes.old());
    }

    @Override
    public void validate(AdmissionAttributes attributes, @Nullable ObjectNode object) {
        if (object == null || !attributes.concerns(CLASSES.group(), CLASSES.plural())) return;
        boolean creates = attributes.operation() == CREATE;
        if (!creates && attributes.operation() != UPDATE) return;
        if (!object.path("globalDefault").asBoolean()) return;
        String name = object.path("metadata").path("name").asText();
        defaultClass()
                .map(found -> found.path("metadata").path("name").asText())
                .ifPresent(found -> {
                    if (creates || !found.equals(name)) {
                        throw ApiException.forbidden(
                                attributes.type(),
                                attributes.nameIn(object),
                                "PriorityClass %s is already marked as default. Only one default can exist"
                                        .formatted(found));
                    }
                });
    }

    private static void keep(ObjectNode spec, ObjectNode old) {
        for (String field : new String[] {"priority", "preemptionPolicy"}) {
            JsonNode before = old.path("spec").path(field);
            if (!spec.hasNonNull(field) && !before.isMissingNode()) spec.set(field, before);
        }
    }

    private void resolve(AdmissionAttributes attributes, ObjectNode pod, ObjectNode spec) {
        Resolved resolved =
                resolved(attributes, pod, spec.path("priorityClassName").asText());
        if (!resolved.className().isEmpty()) spec.put("priorityClassName", resolved.className());
        JsonNode given = spec.path("priority");
        if (given.isNumber() && given.asLong() != resolved.value()) {
            throw refusal(
                    attributes,
                    pod,
                    "the integer value of priority (%s) must not be provided in pod spec; priority admission controller computed %d from the given PriorityClass name"
                            .formatted(given.asText(), resolved.value()));
        }
        spec.put("priority", resolved.value());
        resolved.preemptionPolicy().ifPresent(computed -> {
            String policy = spec.path("preemptionPolicy").asText(computed);
            if (!policy.equals(computed)) {
                throw refusal(
                        attributes,
                        pod,
                        "the string value of PreemptionPolicy (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
                                .formatted(policy, computed));
            }
            spec.put("preemptionPolicy", computed);
        });
    }

    private Resolved resolved(AdmissionAttributes attributes, ObjectNode pod, String className) {
        if (className.isEmpty()) {
            return defaultClass().map(Priority::read).orElse(new Resolved("", 0, Optional.of("PreemptLowerPriority")));
        }
        return lookup.find(CLASSES, "", className)
                .map(Priority::read)
                .orElseThrow(
                        () -> refusal(attributes, pod, "no PriorityClass with name %s was found".formatted(className)));
    }

    private static Resolved read(ObjectNode priorityClass) {
        return new Resolved(
                priorityClass.path("metadata").path("name").asText(),
                priorityClass.path("value").asInt(),
                Optional.ofNullable(priorityClass.path("preemptionPolicy").textValue()));
    }

    /** The lowest of them, should a race have left several. */
    private Optional<ObjectNode> defaultClass() {
        ObjectNode lowest = null;
        for (ObjectNode each : lookup.all(CLASSES)) {
            if (!each.path("globalDefault").asBoolean()) continue;
            if (lowest == null
                    || lowest.path("value").asInt() > each.path("value").asInt()) lowest = each;
        }
        return Optional.ofNullable(lowest);
    }

    private static ApiException refusal(AdmissionAttributes attributes, ObjectNode pod, String why) {
        return ApiException.forbidden(attributes.type(), attributes.nameIn(pod), why);
    }
}
