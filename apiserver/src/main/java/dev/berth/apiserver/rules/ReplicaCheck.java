package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.number;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What holds for numbers of replicas, wanted and counted. */
final class ReplicaCheck {
    private ReplicaCheck() {}

    static void notNegative(JsonNode holder, String path, List<String> fields, Errors errors) {
        for (String field : fields)
            if (number(holder, field) < 0)
                errors.invalid(path + "." + field, number(holder, field), Wording.NOT_NEGATIVE);
    }

    /** @param ready how the message names the ready replicas */
    static void counts(JsonNode status, List<String> fields, String ready, Errors errors) {
        notNegative(status, "status", List.of("replicas"), errors);
        notNegative(status, "status", fields, errors);
        notNegative(status, "status", List.of("observedGeneration", "collisionCount"), errors);
        long all = number(status, "replicas");
        for (String field : fields)
            if (number(status, field) > all)
                errors.invalid("status." + field, number(status, field), "cannot be greater than status.replicas");
        if (number(status, "availableReplicas") > number(status, "readyReplicas"))
            errors.invalid(
                    "status.availableReplicas", number(status, "availableReplicas"), "cannot be greater than " + ready);
    }

    static void notDecremented(JsonNode next, JsonNode old, Errors errors) {
        if (has(old, "collisionCount") && number(next, "collisionCount") < number(old, "collisionCount"))
            errors.invalid("status.collisionCount", number(next, "collisionCount"), "cannot be decremented");
    }
}
