package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Finds what is wrong in probes and lifecycle hooks. */
final class ProbeCheck {
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc", "sleep");
    private static final List<String> SCHEMES = List.of("HTTP", "HTTPS");
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");

    private ProbeCheck() {}

    static void lifecycle(JsonNode lifecycle, String path, Errors errors) {
        for (String hook : List.of("postStart", "preStop"))
            if (has(lifecycle, hook)) handler(at(lifecycle, hook), path + "." + hook, errors);
    }

    /** Liveness and startup are decided by one success. */
    static void once(JsonNode probe, String path, Errors errors) {
        if (!probe.isObject()) return;
        probe(probe, path, errors);
        long threshold = number(probe, "successThreshold");
        if (threshold != 1) errors.invalid(path + ".successThreshold", threshold, "must be 1");
    }

    static void probe(JsonNode probe, String path, Errors errors) {
        if (!probe.isObject()) return;
        handler(probe, path, errors);
        for (String field : COUNTS)
            if (number(probe, field) < 0)
                errors.invalid(path + "." + field, number(probe, field), Wording.NOT_NEGATIVE);
        if (has(probe, "terminationGracePeriodSeconds") && number(probe, "terminationGracePeriodSeconds") <= 0)
            errors.invalid(
                    path + ".terminationGracePeriodSeconds",
                    number(probe, "terminationGracePeriodSeconds"),
                    Wording.POSITIVE);
    }

    private static void handler(JsonNode holder, String path, Errors errors) {
        boolean found = false;
        for (String kind : HANDLERS) {
            if (!has(holder, kind)) continue;
            if (found) errors.forbidden(path + "." + kind, "may not specify more than 1 handler type");
            else action(kind, at(holder, kind), path + "." + kind, errors);
            found = true;
        }
        if (!found) errors.required(path, "must specify a handler type");
    }

    private static void action(String kind, JsonNode action, String path, Errors errors) {
        switch (kind) {
            case "exec" -> {
                if (items(action, "command").isEmpty()) errors.required(path + ".command", "");
            }
            case "httpGet" -> {
                if (text(action, "path").isEmpty()) errors.required(path + ".path", "");
                port(at(action, "port"), path + ".port", errors);
                String scheme = text(action, "scheme");
                if (!SCHEMES.contains(scheme)) errors.notSupported(path + ".scheme", scheme, SCHEMES);
            }
            case "tcpSocket", "grpc" -> port(at(action, "port"), path + ".port", errors);
            default -> {}
        }
    }

    static void port(JsonNode port, String path, Errors errors) {
        if (port.isTextual()) errors.invalid(path, port.textValue(), Names.portName(port.textValue()));
        else if (!ContainerCheck.isPort(port.asLong())) errors.invalid(path, port.asLong(), Wording.PORT);
    }
}
