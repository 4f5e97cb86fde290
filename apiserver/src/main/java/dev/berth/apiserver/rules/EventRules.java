package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of an Event, in the old group and in the new one. */
final class EventRules implements KindRules {
    private final boolean strict;

    /** @param strict true for {@code events.k8s.io} */
    EventRules(boolean strict) {
        this.strict = strict;
    }

    @Override
    public List<FieldError> validate(ObjectNode event) {
        var errors = new Errors();
        String namespace = text(at(event, "metadata"), "namespace");
        String object = text(at(event, strict ? "regarding" : "involvedObject"), "namespace");
        boolean homeless = object.isEmpty();
        if (!has(event, "eventTime")) {
            if (homeless ? !namespace.equals("default") : !object.equals(namespace)) elsewhere(object, errors);
        } else {
            if (homeless && !namespace.equals("default") && !namespace.equals("kube-system")) elsewhere(object, errors);
            reported(event, errors);
        }
        if (strict) strictly(event, errors);
        return errors.list();
    }

    private static void elsewhere(String namespace, Errors errors) {
        errors.invalid("involvedObject.namespace", namespace, "does not match event.namespace");
    }

    private void reported(ObjectNode event, Errors errors) {
        String field = strict ? "reportingController" : "reportingComponent";
        String controller = text(event, field);
        if (controller.isEmpty()) errors.required(field, "");
        errors.invalid(field, controller, Names.qualified(controller));
        for (String each : List.of("reportingInstance", "action", "reason")) {
            if (text(event, each).isEmpty()) errors.required(each, "");
            if (text(event, each).length() > 128) errors.invalid(each, "", "can have at most 128 characters");
        }
        if (text(event, strict ? "note" : "message").length() > 1024)
            errors.invalid("message", "", "can have at most 1024 characters");
    }

    private static void strictly(ObjectNode event, Errors errors) {
        JsonNode series = at(event, "series");
        if (series.isObject() && number(series, "count") < 2)
            errors.invalid("series.count", "", "should be at least 2");
        if (!has(event, "eventTime")) errors.required("eventTime", "");
        String type = text(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) errors.invalid("type", "", "has invalid value: " + type);
        if (has(event, "deprecatedFirstTimestamp")) errors.invalid("firstTimestamp", "", "needs to be unset");
        if (has(event, "deprecatedLastTimestamp")) errors.invalid("lastTimestamp", "", "needs to be unset");
        if (number(event, "deprecatedCount") != 0) errors.invalid("count", "", "needs to be unset");
    }
}
