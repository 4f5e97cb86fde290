package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentObject;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What Kubernetes knows of the configurations of admission webhooks. */
final class WebhookConfigurationRules implements KindRules {
    private static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
    private static final List<String> MATCH_POLICIES = List.of("Equivalent", "Exact");
    private static final List<String> SIDE_EFFECTS = List.of("None", "NoneOnDryRun");
    private static final List<String> REINVOCATIONS = List.of("IfNeeded", "Never");
    private static final List<String> OPERATIONS = List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
    private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");
    private static final List<String> REVIEWS = List.of("v1", "v1beta1");
    private static final String URL_FORM = "; desired format: https://host[/path]";

    private final boolean mutating;

    WebhookConfigurationRules(boolean mutating) {
        this.mutating = mutating;
    }

    @Override
    public void applyDefaults(ObjectNode configuration) {
        for (JsonNode each : items(configuration, "webhooks")) {
            if (!(each instanceof ObjectNode webhook)) continue;
            absentText(webhook, "failurePolicy", "Fail");
            absentText(webhook, "matchPolicy", "Equivalent");
            absentObject(webhook, "namespaceSelector");
            absentObject(webhook, "objectSelector");
            absentNumber(webhook, "timeoutSeconds", 10);
            if (mutating) absentText(webhook, "reinvocationPolicy", "Never");
            for (JsonNode rule : items(webhook, "rules")) absentText((ObjectNode) rule, "scope", "*");
            if (at(at(webhook, "clientConfig"), "service") instanceof ObjectNode service)
                absentNumber(service, "port", 443);
        }
    }

    @Override
    public List<FieldError> validate(ObjectNode configuration) {
        var errors = new Errors();
        var webhooks = items(configuration, "webhooks");
        Set<String> names = new HashSet<>();
        for (int i = 0; i < webhooks.size(); i++) {
            String at = "webhooks[" + i + "]";
            webhook(webhooks.get(i), at, errors);
            versions(items(webhooks.get(i), "admissionReviewVersions"), at + ".admissionReviewVersions", errors);
            String name = text(webhooks.get(i), "name");
            if (!name.isEmpty() && !names.add(name)) errors.duplicate(at + ".name", name);
        }
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        return validate(next);
    }

    private void webhook(JsonNode webhook, String at, Errors errors) {
        name(text(webhook, "name"), at + ".name", errors);
        var rules = items(webhook, "rules");
        for (int i = 0; i < rules.size(); i++) rule(rules.get(i), at + ".rules[" + i + "]", errors);
        supported(webhook, "failurePolicy", FAILURE_POLICIES, at, errors);
        supported(webhook, "matchPolicy", MATCH_POLICIES, at, errors);
        if (!has(webhook, "sideEffects"))
            errors.required(at + ".sideEffects", "must specify one of None, NoneOnDryRun");
        supported(webhook, "sideEffects", SIDE_EFFECTS, at, errors);
        long timeout = number(webhook, "timeoutSeconds");
        if (timeout < 1 || timeout > 30)
            errors.invalid(at + ".timeoutSeconds", timeout, "the timeout value must be between 1 and 30 seconds");
        for (String selector : List.of("namespaceSelector", "objectSelector"))
            AffinityCheck.labelSelector(at(webhook, selector), at + "." + selector, errors);
        if (mutating) supported(webhook, "reinvocationPolicy", REINVOCATIONS, at, errors);
        client(at(webhook, "clientConfig"), at + ".clientConfig", errors);
        conditions(items(webhook, "matchConditions"), at + ".matchConditions", errors);
    }

    private static void supported(JsonNode holder, String field, List<String> known, String at, Errors errors) {
        if (has(holder, field) && !known.contains(text(holder, field)))
            errors.notSupported(at + "." + field, text(holder, field), known);
    }

    private static void name(String name, String at, Errors errors) {
        if (name.isEmpty()) {
            errors.required(at, "");
            return;
        }
        var wrong = Names.subdomain(name);
        if (!wrong.isEmpty()) errors.invalid(at, name, String.join(",", wrong));
        else if (name.split("\\.").length < 3)
            errors.invalid(at, name, "should be a domain with at least three segments separated by dots");
    }

    private static void rule(JsonNode rule, String at, Errors errors) {
        var operations = items(rule, "operations");
        if (operations.isEmpty()) errors.required(at + ".operations", "");
        alone(operations, at + ".operations", "operations", errors);
        for (int i = 0; i < operations.size(); i++)
            if (!OPERATIONS.contains(operations.get(i).asText()))
                errors.notSupported(
                        at + ".operations[" + i + "]", operations.get(i).asText(), OPERATIONS);
        for (String field : List.of("apiGroups", "apiVersions")) {
            var values = items(rule, field);
            if (values.isEmpty()) errors.required(at + "." + field, "");
            alone(values, at + "." + field, field.equals("apiGroups") ? "API groups" : "API versions", errors);
        }
        resources(items(rule, "resources"), at + ".resources", errors);
        supported(rule, "scope", SCOPES, at, errors);
    }

    private static void alone(ArrayNode values, String at, String what, Errors errors) {
        if (values.size() > 1 && contains(values, "*"))
            errors.invalid(at, values, "if '*' is present, must not specify other " + what);
    }

    private static boolean contains(ArrayNode values, String wanted) {
        for (JsonNode value : values) if (value.asText().equals(wanted)) return true;
        return false;
    }

    private static void resources(ArrayNode resources, String at, Errors errors) {
        if (resources.isEmpty()) errors.required(at, "");
        boolean plain = false;
        for (int i = 0; i < resources.size(); i++) {
            String resource = resources.get(i).asText();
            if (resource.isEmpty()) errors.required(at + "[" + i + "]", "");
            plain |= resource.indexOf('/') < 0 && !resource.equals("*");
        }
        if (resources.size() > 1 && contains(resources, "*/*"))
            errors.invalid(at, resources, "if '*/*' is present, must not specify other resources");
        if (plain && contains(resources, "*"))
            errors.invalid(at, resources, "if '*' is present, must not specify other resources without subresources");
    }

    private static void client(JsonNode client, String at, Errors errors) {
        boolean url = has(client, "url");
        if (url == has(client, "service")) errors.required(at, "exactly one of url or service is required");
        else if (url) url(text(client, "url"), at + ".url", errors);
        else service(at(client, "service"), at + ".service", errors);
    }

    private static void url(String text, String at, Errors errors) {
        try {
            var url = new URI(text);
            String scheme = url.getScheme() == null ? "" : url.getScheme();
            if (!scheme.equals("https"))
                errors.invalid(at, scheme, "'https' is the only allowed URL scheme" + URL_FORM);
            if (url.getRawAuthority() == null) errors.invalid(at, "", "host must be specified" + URL_FORM);
            if (url.getRawUserInfo() != null)
                errors.invalid(at, url.getRawUserInfo(), "user information is not permitted in the URL");
            if (url.getFragment() != null)
                errors.invalid(at, url.getFragment(), "fragments are not permitted in the URL");
            if (url.getRawQuery() != null)
                errors.invalid(at, url.getRawQuery(), "query parameters are not permitted in the URL");
        } catch (URISyntaxException e) {
            errors.required(at, "url must be a valid URL: " + e.getMessage() + URL_FORM);
        }
    }

    /** The real server takes the two names for each other. */
    private static void service(JsonNode service, String at, Errors errors) {
        if (text(service, "namespace").isEmpty()) errors.required(at + ".name", "");
        if (text(service, "name").isEmpty()) errors.required(at + ".namespace", "");
        long port = number(service, "port");
        if (!ContainerCheck.isPort(port)) errors.invalid(at + ".port", port, "port is not valid: " + Wording.PORT);
        String path = text(service, "path");
        if (!path.isEmpty() && !path.startsWith("/")) errors.invalid(at + ".path", path, "must start with a '/'");
    }

    /** Whether the expressions compile is admission's to say. */
    private static void conditions(ArrayNode conditions, String at, Errors errors) {
        if (conditions.size() > 64) errors.tooMany(at, conditions.size(), 64);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < conditions.size(); i++) {
            String name = text(conditions.get(i), "name");
            String each = at + "[" + i + "]";
            if (text(conditions.get(i), "expression").strip().isEmpty()) errors.required(each + ".expression", "");
            if (name.isEmpty()) errors.required(each + ".name", "");
            else {
                errors.invalid(each + ".name", name, Names.qualified(name));
                if (!names.add(name)) errors.duplicate(each + ".name", name);
            }
        }
    }

    private static void versions(ArrayNode versions, String at, Errors errors) {
        if (versions.isEmpty()) {
            errors.required(at, "must specify one of v1, v1beta1");
            return;
        }
        Set<String> seen = new HashSet<>();
        boolean accepted = false;
        for (int i = 0; i < versions.size(); i++) {
            String version = versions.get(i).asText();
            accepted |= REVIEWS.contains(version);
            if (!seen.add(version)) errors.invalid(at + "[" + i + "]", version, "duplicate version");
            else errors.invalid(at + "[" + i + "]", version, Names.label1035(version));
        }
        if (!accepted) errors.invalid(at, versions, "must include at least one of v1, v1beta1");
    }
}
