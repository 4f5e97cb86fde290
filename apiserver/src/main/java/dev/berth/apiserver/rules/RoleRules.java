package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of roles and of their bindings. */
final class RoleRules implements KindRules {
    private static final String GROUP = "rbac.authorization.k8s.io";
    private static final List<String> ROLES = List.of("Role", "ClusterRole");
    private static final List<String> SUBJECTS = List.of("ServiceAccount", "User", "Group");

    @Override
    public void applyDefaults(ObjectNode object) {
        if (object.get("roleRef") instanceof ObjectNode reference) defaultText(reference, "apiGroup", GROUP);
        for (JsonNode each : items(object, "subjects"))
            if (each instanceof ObjectNode subject && !text(subject, "kind").equals("ServiceAccount"))
                if (SUBJECTS.contains(text(subject, "kind"))) defaultText(subject, "apiGroup", GROUP);
    }

    @Override
    public List<FieldError> validate(ObjectNode object) {
        var errors = new Errors();
        if (object.has("roleRef")) binding(object, errors);
        else
            rules(
                    items(object, "rules"),
                    !text(at(object, "metadata"), "namespace").isEmpty(),
                    errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        errors.addAll(validate(next));
        if (!at(next, "roleRef").equals(at(old, "roleRef")))
            errors.invalid(
                    "roleRef",
                    InternalForm.lettered(at(next, "roleRef"), List.of("apiGroup", "kind", "name")),
                    "cannot change roleRef");
        return errors.list();
    }

    private static void rules(ArrayNode rules, boolean namespaced, Errors errors) {
        for (int i = 0; i < rules.size(); i++) {
            JsonNode rule = rules.get(i);
            String at = "rules[" + i + "]";
            if (items(rule, "verbs").isEmpty()) errors.required(at + ".verbs", "verbs must contain at least one value");
            if (!items(rule, "nonResourceURLs").isEmpty()) {
                if (namespaced)
                    errors.invalid(
                            at + ".nonResourceURLs",
                            items(rule, "nonResourceURLs"),
                            "namespaced rules cannot apply to non-resource URLs");
                continue;
            }
            if (items(rule, "apiGroups").isEmpty())
                errors.required(at + ".apiGroups", "resource rules must supply at least one api group");
            if (items(rule, "resources").isEmpty())
                errors.required(at + ".resources", "resource rules must supply at least one resource");
        }
    }

    private static void binding(ObjectNode binding, Errors errors) {
        JsonNode role = at(binding, "roleRef");
        if (!text(role, "apiGroup").equals(GROUP))
            errors.notSupported("roleRef.apiGroup", text(role, "apiGroup"), List.of(GROUP));
        boolean cluster = text(at(binding, "metadata"), "namespace").isEmpty();
        List<String> roles = cluster ? List.of("ClusterRole") : ROLES;
        if (!roles.contains(text(role, "kind"))) errors.notSupported("roleRef.kind", text(role, "kind"), roles);
        if (text(role, "name").isEmpty()) errors.required("roleRef.name", "");
        var subjects = items(binding, "subjects");
        for (int i = 0; i < subjects.size(); i++) subject(subjects.get(i), "subjects[" + i + "]", cluster, errors);
    }

    private static void subject(JsonNode subject, String at, boolean cluster, Errors errors) {
        if (text(subject, "name").isEmpty()) errors.required(at + ".name", "");
        String kind = text(subject, "kind");
        if (!SUBJECTS.contains(kind)) errors.notSupported(at + ".kind", kind, SUBJECTS);
        if (kind.equals("ServiceAccount")
                && cluster
                && text(subject, "namespace").isEmpty()) errors.required(at + ".namespace", "");
    }
}
