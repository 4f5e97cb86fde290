package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.node.ObjectNode;

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
}
