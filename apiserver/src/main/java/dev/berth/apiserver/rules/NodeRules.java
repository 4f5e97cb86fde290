package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What Kubernetes knows of a Node. */
final class NodeRules implements KindRules {
    @Override
    public void applyDefaults(ObjectNode node) {
        if (node.get("status") instanceof ObjectNode status && has(status, "capacity") && !has(status, "allocatable"))
            status.set("allocatable", at(status, "capacity").deepCopy());
        if (node.get("spec") instanceof ObjectNode spec) networks(spec);
    }

    /** The first of the list and the single field are the same network under two names. */
    private static void networks(ObjectNode spec) {
        String single = text(spec, "podCIDR");
        if (!single.isEmpty() && items(spec, "podCIDRs").isEmpty())
            spec.putArray("podCIDRs").add(single);
        else if (single.isEmpty() && !items(spec, "podCIDRs").isEmpty())
            spec.put("podCIDR", items(spec, "podCIDRs").get(0).asText());
    }

    @Override
    public List<FieldError> validate(ObjectNode node) {
        var errors = new Errors();
        taints(items(at(node, "spec"), "taints"), errors);
        resources(at(node, "status"), errors);
        cidrs(items(at(node, "spec"), "podCIDRs"), errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        resources(at(next, "status"), errors);
        addresses(items(at(next, "status"), "addresses"), errors);
        JsonNode spec = at(next, "spec");
        JsonNode before = at(old, "spec");
        if (!items(before, "podCIDRs").isEmpty() && !items(before, "podCIDRs").equals(items(spec, "podCIDRs")))
            errors.forbidden("spec.podCIDRs", "node updates may not change podCIDR except from \"\" to valid");
        if (!text(before, "providerID").isEmpty() && !text(before, "providerID").equals(text(spec, "providerID")))
            errors.forbidden("spec.providerID", "node updates may not change providerID except from \"\" to valid");
        taints(items(spec, "taints"), errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        return validateUpdate(next, old);
    }

    private static void resources(JsonNode status, Errors errors) {
        for (String list : List.of("capacity", "allocatable"))
            for (var entry : at(status, list).properties())
                ResourceCheck.value(
                        entry.getKey(), entry.getValue().asText(), "status." + list + "." + entry.getKey(), errors);
    }

    /** Named as metadata by the real server, where they once were annotations. */
    private static void taints(ArrayNode taints, Errors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            JsonNode taint = taints.get(i);
            String at = "metadata.taints[" + i + "]";
            String key = text(taint, "key");
            String effect = text(taint, "effect");
            errors.invalid(at + ".key", key, Names.qualified(key));
            var wrong = Names.labelValue(text(taint, "value"));
            if (!wrong.isEmpty()) errors.invalid(at + ".value", text(taint, "value"), String.join(";", wrong));
            if (effect.isEmpty()) errors.required(at + ".effect", "");
            else if (!TolerationCheck.EFFECTS.contains(effect))
                errors.notSupported(at + ".effect", effect, TolerationCheck.EFFECTS);
            if (!seen.add(key + ":" + effect))
                errors.add(new FieldError(
                        "FieldValueDuplicate",
                        at,
                        "Duplicate value: %s: taints must be unique by key and effect pair"
                                .formatted(InternalForm.of("core.Taint", taint))));
        }
    }

    private static void addresses(ArrayNode addresses, Errors errors) {
        Set<JsonNode> seen = new HashSet<>();
        for (int i = 0; i < addresses.size(); i++)
            if (!seen.add(addresses.get(i)))
                errors.add(FieldError.duplicate(
                        "status.addresses[" + i + "]",
                        InternalForm.of("core.NodeAddress", addresses.get(i)).toString()));
    }

    private static void cidrs(ArrayNode cidrs, Errors errors) {
        int families = 0;
        String malformed = "";
        for (int i = cidrs.size() - 1; i >= 0; i--) {
            String cidr = cidrs.get(i).asText();
            if (!Addresses.isNetwork(cidr))
                malformed = "invalid CIDR[%d]: <nil> (invalid CIDR address: %s)".formatted(i, cidr);
            families |= cidr.indexOf(':') >= 0 ? 2 : 1;
        }
        for (int i = 0; i < cidrs.size(); i++)
            if (!Addresses.isNetwork(cidrs.get(i).asText()))
                errors.invalid(
                        "spec.podCIDRs[" + i + "]",
                        cidrs.get(i),
                        "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        if (cidrs.size() < 2) return;
        if (!malformed.isEmpty())
            errors.add(new FieldError(
                    "InternalError",
                    "spec.podCIDRs",
                    "Internal error: invalid PodCIDRs. failed to check with dual stack with error:" + malformed));
        if (!malformed.isEmpty() || families != 3 || cidrs.size() > 2)
            errors.invalid("spec.podCIDRs", cidrs, "may specify no more than one CIDR for each IP family");
    }
}
