package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentObject;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultNumber;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What Kubernetes fills into a pod's spec, in a pod and in every template of one. */
final class PodSpecDefaults {
    static final List<String> CONTAINER_LISTS = List.of("initContainers", "containers", "ephemeralContainers");
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");

    private PodSpecDefaults() {}

    static void apply(ObjectNode spec) {
        accounts(spec);
        for (String list : CONTAINER_LISTS)
            for (JsonNode each : items(spec, list)) if (each instanceof ObjectNode container) container(container);
        for (JsonNode each : items(spec, "volumes"))
            if (each instanceof ObjectNode volume) VolumeDefaults.apply(volume);
        defaultText(spec, "dnsPolicy", "ClusterFirst");
        defaultText(spec, "restartPolicy", "Always");
        absentObject(spec, "securityContext");
        absentNumber(spec, "terminationGracePeriodSeconds", 30);
        defaultText(spec, "schedulerName", "default-scheduler");
    }

    /** The old name of the field is read when the new one is not there, and always written beside it. */
    private static void accounts(ObjectNode spec) {
        String name = text(spec, "serviceAccountName");
        if (name.isEmpty()) name = text(spec, "serviceAccount");
        if (name.isEmpty()) return;
        spec.put("serviceAccountName", name).put("serviceAccount", name);
    }

    private static void container(ObjectNode container) {
        if (text(container, "imagePullPolicy").isEmpty())
            container.put("imagePullPolicy", Images.pullPolicy(text(container, "image")));
        defaultText(container, "terminationMessagePath", "/dev/termination-log");
        defaultText(container, "terminationMessagePolicy", "File");
        for (JsonNode port : items(container, "ports"))
            if (port instanceof ObjectNode object) defaultText(object, "protocol", "TCP");
        for (JsonNode variable : items(container, "env")) {
            JsonNode source = at(variable, "valueFrom");
            fieldReference(source);
            if (at(source, "fileKeyRef") instanceof ObjectNode file) Tree.absentFlag(file, "optional", false);
            if (at(source, "resourceFieldRef") instanceof ObjectNode resource) divisor(resource);
        }
        for (String name : PROBES) if (container.get(name) instanceof ObjectNode probe) probe(probe);
        JsonNode lifecycle = at(container, "lifecycle");
        httpGet(at(lifecycle, "postStart"));
        httpGet(at(lifecycle, "preStop"));
    }

    static void fieldReference(JsonNode holder) {
        if (at(holder, "fieldRef") instanceof ObjectNode reference) defaultText(reference, "apiVersion", "v1");
    }

    static void divisor(ObjectNode resource) {
        absentText(resource, "divisor", "0");
    }

    private static void probe(ObjectNode probe) {
        defaultNumber(probe, "timeoutSeconds", 1);
        defaultNumber(probe, "periodSeconds", 10);
        defaultNumber(probe, "successThreshold", 1);
        defaultNumber(probe, "failureThreshold", 3);
        httpGet(probe);
        if (at(probe, "grpc") instanceof ObjectNode grpc) absentText(grpc, "service", "");
    }

    private static void httpGet(JsonNode holder) {
        if (!(at(holder, "httpGet") instanceof ObjectNode request)) return;
        defaultText(request, "path", "/");
        defaultText(request, "scheme", "HTTP");
    }
}
