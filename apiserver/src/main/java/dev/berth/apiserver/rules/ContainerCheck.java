package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds what is wrong in a pod's containers. */
final class ContainerCheck {
    private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
    static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");
    private static final List<String> RESTART_POLICIES = List.of("Always", "Never", "OnFailure");

    private final Set<String> volumes;
    private final Set<String> claims;
    private final Errors errors;

    ContainerCheck(Set<String> volumes, Set<String> claims, Errors errors) {
        this.volumes = volumes;
        this.claims = claims;
        this.errors = errors;
    }

    void regular(ArrayNode containers, String path) {
        if (containers.isEmpty()) {
            errors.required(path, "");
            return;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < containers.size(); i++) {
            JsonNode container = containers.get(i);
            String at = path + "[" + i + "]";
            common(container, at);
            if (!names.add(text(container, "name"))) errors.duplicate(at + ".name", text(container, "name"));
            running(container, at);
            restartPolicy(container, at);
        }
        hostPorts(containers, path);
    }

    void initial(ArrayNode containers, ArrayNode regular, String path) {
        Set<String> names = new HashSet<>();
        for (JsonNode each : regular) names.add(text(each, "name"));
        for (int i = 0; i < containers.size(); i++) {
            JsonNode container = containers.get(i);
            String at = path + "[" + i + "]";
            common(container, at);
            restartPolicy(container, at);
            if (!text(container, "name").isEmpty() && !names.add(text(container, "name")))
                errors.duplicate(at + ".name", text(container, "name"));
            if (text(container, "restartPolicy").equals("Always")) running(container, at);
            else
                for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe"))
                    if (has(container, field))
                        errors.forbidden(
                                at + "." + field, "may not be set for init containers without restartPolicy=Always");
        }
    }

    private void common(JsonNode container, String at) {
        String name = text(container, "name");
        if (name.isEmpty()) errors.required(at + ".name", "");
        else errors.invalid(at + ".name", name, Names.label(name));
        if (text(container, "image").isEmpty()) errors.required(at + ".image", "");
        supported(at + ".terminationMessagePolicy", text(container, "terminationMessagePolicy"), MESSAGE_POLICIES);
        if (!items(container, "ports").isEmpty()) ports(items(container, "ports"), at + ".ports");
        EnvironmentCheck.run(container, at, errors);
        mounts(items(container, "volumeMounts"), at + ".volumeMounts");
        supported(at + ".imagePullPolicy", text(container, "imagePullPolicy"), PULL_POLICIES);
        ResourceCheck.ofContainer(at(container, "resources"), claims, at + ".resources", errors);
        SecurityCheck.container(at(container, "securityContext"), at + ".securityContext", errors);
    }

    private void supported(String at, String value, List<String> known) {
        if (!known.contains(value)) errors.notSupported(at, value, known);
    }

    private void restartPolicy(JsonNode container, String at) {
        if (has(container, "restartPolicy"))
            supported(at + ".restartPolicy", text(container, "restartPolicy"), RESTART_POLICIES);
    }

    private void running(JsonNode container, String at) {
        ProbeCheck.lifecycle(at(container, "lifecycle"), at + ".lifecycle", errors);
        ProbeCheck.once(at(container, "livenessProbe"), at + ".livenessProbe", errors);
        ProbeCheck.probe(at(container, "readinessProbe"), at + ".readinessProbe", errors);
        ProbeCheck.once(at(container, "startupProbe"), at + ".startupProbe", errors);
    }

    private void ports(ArrayNode ports, String path) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.get(i);
            String at = path + "[" + i + "]";
            String name = text(port, "name");
            if (!name.isEmpty()) {
                List<String> wrong = Names.portName(name);
                errors.invalid(at + ".name", name, wrong);
                if (wrong.isEmpty() && !names.add(name)) errors.duplicate(at + ".name", name);
            }
            long number = number(port, "containerPort");
            if (number == 0) errors.required(at + ".containerPort", "");
            else if (!isPort(number)) errors.invalid(at + ".containerPort", number, Wording.PORT);
            long host = number(port, "hostPort");
            if (host != 0 && !isPort(host)) errors.invalid(at + ".hostPort", host, Wording.PORT);
            supported(at + ".protocol", text(port, "protocol"), PROTOCOLS);
        }
    }

    static boolean isPort(long number) {
        return number >= 1 && number <= 65535;
    }

    private void hostPorts(ArrayNode containers, String path) {
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < containers.size(); i++) {
            var ports = items(containers.get(i), "ports");
            for (int j = 0; j < ports.size(); j++) {
                JsonNode port = ports.get(j);
                if (number(port, "hostPort") == 0) continue;
                String key = text(port, "protocol") + "/" + text(port, "hostIP") + "/" + number(port, "hostPort");
                if (!taken.add(key)) errors.duplicate(path + "[" + i + "].ports[" + j + "].hostPort", key);
            }
        }
    }

    private void mounts(ArrayNode mounts, String path) {
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < mounts.size(); i++) {
            JsonNode mount = mounts.get(i);
            String at = path + "[" + i + "]";
            String name = text(mount, "name");
            if (name.isEmpty()) errors.required(at + ".name", "");
            if (!volumes.contains(name)) errors.notFound(at + ".name", name);
            String target = text(mount, "mountPath");
            if (target.isEmpty()) errors.required(at + ".mountPath", "");
            if (!taken.add(target)) errors.invalid(at + ".mountPath", target, "must be unique");
            // Without the index: so says the real server.
            if (has(mount, "subPath")) VolumeCheck.descending(text(mount, "subPath"), path + ".subPath", errors);
            if (has(mount, "subPathExpr")) {
                String expression = text(mount, "subPathExpr");
                if (has(mount, "subPath"))
                    errors.invalid(at + ".subPathExpr", expression, "subPathExpr and subPath are mutually exclusive");
                VolumeCheck.descending(expression, path + ".subPathExpr", errors);
            }
        }
    }
}
