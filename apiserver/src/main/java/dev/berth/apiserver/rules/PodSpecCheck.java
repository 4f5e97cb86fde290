package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds what is wrong in a pod's spec, in a pod and in every template of one. */
final class PodSpecCheck {
    private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None");

    private final JsonNode spec;
    private final String path;
    private final Errors errors;

    private PodSpecCheck(JsonNode spec, String path, Errors errors) {
        this.spec = spec;
        this.path = path;
        this.errors = errors;
    }

    static void run(JsonNode spec, String path, Errors errors) {
        new PodSpecCheck(spec, path, errors).all();
    }

    private void all() {
        Set<String> volumes = VolumeCheck.run(items(spec, "volumes"), path + ".volumes", errors);
        Set<String> claims = claims();
        var containers = new ContainerCheck(volumes, claims, errors);
        containers.regular(items(spec, "containers"), path + ".containers");
        containers.initial(items(spec, "initContainers"), items(spec, "containers"), path + ".initContainers");
        podResources(claims);
        policies();
        Metadata.labels(at(spec, "nodeSelector"), path + ".nodeSelector", errors);
        SecurityCheck.pod(at(spec, "securityContext"), path + ".securityContext", errors);
        pullSecrets();
        AffinityCheck.run(at(spec, "affinity"), path + ".affinity", errors);
        readinessGates();
        schedulingGates();
        SpreadCheck.run(items(spec, "topologySpreadConstraints"), path + ".topologySpreadConstraints", errors);
        names();
        TolerationCheck.run(items(spec, "tolerations"), path + ".tolerations", errors);
        subdomain("priorityClassName");
        subdomain("runtimeClassName");
        preemptionPolicy();
    }

    private Set<String> claims() {
        Set<String> names = new TreeSet<>();
        var claims = items(spec, "resourceClaims");
        for (int i = 0; i < claims.size(); i++) {
            String at = path + ".resourceClaims[" + i + "]";
            JsonNode claim = claims.get(i);
            String name = text(claim, "name");
            if (name.isEmpty()) errors.required(at + ".name", "");
            else if (!names.add(name)) errors.duplicate(at + ".name", name);
            else errors.invalid(at + ".name", name, Names.label(name));
            boolean byName = has(claim, "resourceClaimName");
            boolean byTemplate = has(claim, "resourceClaimTemplateName");
            if (byName && byTemplate)
                errors.invalid(
                        at,
                        InternalForm.of("core.PodResourceClaim", claim),
                        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
            if (!byName && !byTemplate)
                errors.invalid(
                        at,
                        InternalForm.of("core.PodResourceClaim", claim),
                        "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            if (byName) subdomain(at + ".resourceClaimName", text(claim, "resourceClaimName"));
            if (byTemplate) subdomain(at + ".resourceClaimTemplateName", text(claim, "resourceClaimTemplateName"));
        }
        return names;
    }

    private void podResources(Set<String> claims) {
        JsonNode resources = at(spec, "resources");
        if (resources.isMissingNode()) return;
        if (has(resources, "claims"))
            errors.forbidden(path + ".resources.claims", "claims may not be set for Resources at pod-level");
        ResourceCheck.ofPod(resources, claims, path + ".resources", errors);
    }

    private void policies() {
        String restart = text(spec, "restartPolicy");
        if (!RESTART_POLICIES.contains(restart))
            errors.notSupported(path + ".restartPolicy", restart, RESTART_POLICIES);
        String dns = text(spec, "dnsPolicy");
        if (!DNS_POLICIES.contains(dns)) errors.notSupported(path + ".dnsPolicy", dns, DNS_POLICIES);
    }

    private void pullSecrets() {
        var secrets = items(spec, "imagePullSecrets");
        for (int i = 0; i < secrets.size(); i++)
            if (text(secrets.get(i), "name").isEmpty()) errors.required(path + ".imagePullSecrets[" + i + "].name", "");
    }

    private void readinessGates() {
        var gates = items(spec, "readinessGates");
        for (int i = 0; i < gates.size(); i++) {
            String type = text(gates.get(i), "conditionType");
            errors.invalid(path + ".readinessGates[" + i + "].conditionType", type, Names.qualified(type));
        }
    }

    private void schedulingGates() {
        Set<String> names = new HashSet<>();
        var gates = items(spec, "schedulingGates");
        for (int i = 0; i < gates.size(); i++) {
            String at = path + ".schedulingGates[" + i + "]";
            String name = text(gates.get(i), "name");
            errors.invalid(at, name, Names.qualified(name));
            if (!names.add(name)) errors.duplicate(at, name);
        }
    }

    private void names() {
        subdomain("serviceAccountName");
        subdomain("nodeName");
        if (has(spec, "activeDeadlineSeconds")) {
            long deadline = number(spec, "activeDeadlineSeconds");
            if (deadline < 1 || deadline > Integer.MAX_VALUE)
                errors.invalid(
                        path + ".activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive");
        }
        for (String field : List.of("hostname", "subdomain")) {
            String name = text(spec, field);
            if (!name.isEmpty()) errors.invalid(path + "." + field, name, Names.label(name));
        }
    }

    private void preemptionPolicy() {
        String policy = text(spec, "preemptionPolicy");
        if (!policy.isEmpty() && !PriorityClassRules.PREEMPTION_POLICIES.contains(policy))
            errors.notSupported(path + ".preemptionPolicy", policy, PriorityClassRules.PREEMPTION_POLICIES);
    }

    private void subdomain(String field) {
        String name = text(spec, field);
        if (!name.isEmpty()) subdomain(path + "." + field, name);
    }

    private void subdomain(String at, String name) {
        errors.invalid(at, name, Names.subdomain(name));
    }
}
