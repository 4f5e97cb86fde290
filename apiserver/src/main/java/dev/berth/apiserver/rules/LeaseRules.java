package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a Lease. */
final class LeaseRules implements KindRules {
    @Override
    public List<FieldError> validate(ObjectNode lease) {
        var errors = new Errors();
        JsonNode spec = at(lease, "spec");
        if (has(spec, "leaseDurationSeconds") && number(spec, "leaseDurationSeconds") <= 0)
            errors.invalid("spec.leaseDurationSeconds", number(spec, "leaseDurationSeconds"), Wording.POSITIVE);
        if (number(spec, "leaseTransitions") < 0)
            errors.invalid("spec.leaseTransitions", number(spec, "leaseTransitions"), Wording.NOT_NEGATIVE);
        if (!text(spec, "preferredHolder").isEmpty() && text(spec, "strategy").isEmpty())
            errors.forbidden("spec.preferredHolder", "may only be specified if `strategy` is defined");
        return errors.list();
    }

    /** Coordinated election is off in the real server by default, and its fields are dropped. */
    @Override
    public void prepareForCreate(ObjectNode lease) {
        drop(lease);
    }

    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        drop(next);
    }

    private static void drop(ObjectNode lease) {
        if (lease.get("spec") instanceof ObjectNode spec) spec.remove(List.of("strategy", "preferredHolder"));
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        return validate(next);
    }
}
