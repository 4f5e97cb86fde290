package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentFlag;
import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.flag;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What Kubernetes knows of a Service. */
final class ServiceRules implements KindRules {
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final List<String> AFFINITIES = List.of("ClientIP", "None");
    private static final String NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

    private final ServiceAddresses addresses;

    ServiceRules(ServiceAddresses addresses) {
        this.addresses = addresses;
    }

    @Override
    public void applyDefaults(ObjectNode service) {
        ObjectNode spec = objectAt(service, "spec");
        defaultText(spec, "sessionAffinity", "None");
        if (text(spec, "sessionAffinity").equals("None")) spec.remove("sessionAffinityConfig");
        if (text(spec, "sessionAffinity").equals("ClientIP"))
            absentNumber(objectAt(objectAt(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds", 10800);
        defaultText(spec, "type", "ClusterIP");
        for (JsonNode each : items(spec, "ports")) if (each instanceof ObjectNode port) port(port);
        String type = text(spec, "type");
        boolean external = type.equals("NodePort") || type.equals("LoadBalancer");
        if (external || (type.equals("ClusterIP") && !items(spec, "externalIPs").isEmpty()))
            defaultText(spec, "externalTrafficPolicy", "Cluster");
        if (external || type.equals("ClusterIP")) absentText(spec, "internalTrafficPolicy", "Cluster");
        if (type.equals("LoadBalancer")) absentFlag(spec, "allocateLoadBalancerNodePorts", true);
    }

    private static void port(ObjectNode port) {
        defaultText(port, "protocol", "TCP");
        JsonNode target = at(port, "targetPort");
        boolean none = target.isTextual() ? target.textValue().isEmpty() : target.asLong() == 0;
        if (none) port.set("targetPort", at(port, "port"));
    }

    @Override
    public void prepareForCreate(ObjectNode service) {
        ObjectNode spec = objectAt(service, "spec");
        if (text(spec, "type").equals("ExternalName")) {
            spec.remove(List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"));
            return;
        }
        if (!text(spec, "clusterIP").isEmpty() && items(spec, "clusterIPs").isEmpty())
            spec.putArray("clusterIPs").add(text(spec, "clusterIP"));
        // What has no selector and no address may have endpoints of any family.
        boolean anyFamily =
                text(spec, "clusterIP").equals("None") && at(spec, "selector").isEmpty();
        absentText(spec, "ipFamilyPolicy", anyFamily ? "RequireDualStack" : "SingleStack");
        if (items(spec, "ipFamilies").isEmpty()) {
            var families = spec.putArray("ipFamilies").add("IPv4");
            if (anyFamily) families.add("IPv6");
        }
        // Only for what will pass: an address is not given to what is refused.
        if (!validate(service).isEmpty()) return;
        if (text(spec, "clusterIP").isEmpty()) {
            String address = addresses.next();
            spec.put("clusterIP", address).putArray("clusterIPs").add(address);
        }
        nodePorts(spec);
    }

    private void nodePorts(ObjectNode spec) {
        String type = text(spec, "type");
        boolean wanted =
                type.equals("NodePort") || (type.equals("LoadBalancer") && flag(spec, "allocateLoadBalancerNodePorts"));
        if (!wanted) return;
        for (JsonNode port : items(spec, "ports"))
            if (number(port, "nodePort") == 0) ((ObjectNode) port).put("nodePort", addresses.nextPort());
    }

    @Override
    public void prepareForUpdate(ObjectNode next, ObjectNode old) {
        ObjectNode spec = objectAt(next, "spec");
        JsonNode before = at(old, "spec");
        String type = text(spec, "type");
        if (type.equals("ExternalName")) {
            if (!text(before, "type").equals(type)) prepareForCreate(next);
            return;
        }
        for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"))
            if (!has(spec, field) || text(before, "type").equals("ExternalName")) keepIfThere(before, spec, field);
        for (int i = 0; i < items(spec, "ports").size(); i++) {
            ObjectNode port = (ObjectNode) items(spec, "ports").get(i);
            JsonNode same = items(before, "ports").path(i);
            if (number(port, "nodePort") == 0 && !type.equals("ClusterIP")) keepIfThere(same, port, "nodePort");
        }
        prepareForCreate(next);
    }

    private static void keepIfThere(JsonNode old, ObjectNode next, String field) {
        if (has(old, field)) next.set(field, old.get(field));
    }

    @Override
    public List<FieldError> validate(ObjectNode service) {
        var errors = new Errors();
        JsonNode spec = at(service, "spec");
        String type = text(spec, "type");
        boolean headless = text(spec, "clusterIP").equals("None");
        var ports = items(spec, "ports");
        if (ports.isEmpty() && !headless && !type.equals("ExternalName")) errors.required("spec.ports", "");
        if (headless && (type.equals("LoadBalancer") || type.equals("NodePort")))
            errors.invalid("spec.clusterIPs[0]", "None", "may not be set to 'None' for " + type + " services");
        if (type.equals("ExternalName")) externalName(text(spec, "externalName"), errors);
        ports(ports, errors);
        Metadata.labels(at(spec, "selector"), "spec.selector", errors);
        String affinity = text(spec, "sessionAffinity");
        if (!AFFINITIES.contains(affinity)) errors.notSupported("spec.sessionAffinity", affinity, AFFINITIES);
        addresses(spec, errors);
        if (!TYPES.contains(type)) errors.notSupported("spec.type", type, TYPES);
        nodePorts(ports, type, errors);
        return errors.list();
    }

    private static void externalName(String name, Errors errors) {
        String domain = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (domain.isEmpty()) errors.required("spec.externalName", "");
        else errors.invalid("spec.externalName", domain, Names.subdomain(domain));
    }

    private static void ports(ArrayNode ports, Errors errors) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.get(i);
            String at = "spec.ports[" + i + "]";
            String name = text(port, "name");
            if (name.isEmpty()) {
                if (ports.size() > 1) errors.required(at + ".name", "");
            } else {
                errors.invalid(at + ".name", name, Names.label(name));
                if (!names.add(name)) errors.duplicate(at + ".name", name);
            }
            if (!ContainerCheck.isPort(number(port, "port")))
                errors.invalid(at + ".port", number(port, "port"), Wording.PORT);
            String protocol = text(port, "protocol");
            if (!ContainerCheck.PROTOCOLS.contains(protocol))
                errors.notSupported(at + ".protocol", protocol, ContainerCheck.PROTOCOLS);
            ProbeCheck.port(at(port, "targetPort"), at + ".targetPort", errors);
        }
    }

    private void addresses(JsonNode spec, Errors errors) {
        var given = items(spec, "clusterIPs");
        for (int i = 0; i < given.size(); i++) {
            String address = given.get(i).asText();
            if (address.equals("None")) continue;
            if (!Addresses.isAddress(address)) errors.invalid("spec.clusterIPs[" + i + "]", address, NO_ADDRESS);
            else if (!addresses.contains(address))
                errors.invalid(
                        "spec.clusterIPs",
                        given,
                        "failed to allocate IP %s: the provided network does not match the current range"
                                .formatted(address));
        }
    }

    private static void nodePorts(ArrayNode ports, String type, Errors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.get(i);
            if (type.equals("ClusterIP") && number(port, "nodePort") != 0)
                errors.forbidden("spec.ports[" + i + "].nodePort", "may not be used when `type` is 'ClusterIP'");
            if (!seen.add(text(port, "protocol") + number(port, "port")))
                errors.add(FieldError.duplicate(
                        "spec.ports[" + i + "]",
                        "{\"Name\":\"\",\"Protocol\":\"%s\",\"AppProtocol\":null,\"Port\":%d,\"TargetPort\":0,\"NodePort\":0}"
                                .formatted(text(port, "protocol"), number(port, "port"))));
        }
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode spec = at(next, "spec");
        JsonNode before = at(old, "spec");
        boolean stays = !text(spec, "type").equals("ExternalName")
                && !text(before, "type").equals("ExternalName");
        if (stays && !text(spec, "clusterIP").equals(text(before, "clusterIP"))) {
            errors.invalid("spec.clusterIPs[0]", at(spec, "clusterIPs"), "may not change once set");
            return errors.list();
        }
        errors.addAll(validate(next));
        return errors.list();
    }
}
