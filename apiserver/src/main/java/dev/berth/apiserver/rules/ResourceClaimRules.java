package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a ResourceClaim and of the template of one. */
final class ResourceClaimRules implements KindRules {
    private final boolean template;
    private final AdminAccess adminAccess;

    ResourceClaimRules(boolean template, AdminAccess adminAccess) {
        this.template = template;
        this.adminAccess = adminAccess;
    }

    private JsonNode devices(ObjectNode object) {
        JsonNode spec = at(object, "spec");
        return at(template ? at(spec, "spec") : spec, "devices");
    }

    @Override
    public void applyDefaults(ObjectNode object) {
        DeviceClaims.applyDefaults(devices(object));
    }

    @Override
    public List<FieldError> validate(ObjectNode object) {
        var errors = new Errors();
        adminAccess.requests(object, devices(object), errors);
        DeviceClaims.check(devices(object), template ? "spec.spec.devices" : "spec.devices", errors);
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        if (!at(next, "spec").equals(at(old, "spec")))
            errors.invalid(
                    "spec",
                    InternalForm.of(
                            template ? "resource.ResourceClaimTemplateSpec" : "resource.ResourceClaimSpec",
                            at(next, "spec")),
                    Metadata.IMMUTABLE);
        return errors.list();
    }

    /** Without an allocation nothing may be reserved. */
    @Override
    public List<FieldError> validateStatusUpdate(ObjectNode next, ObjectNode old) {
        var errors = new Errors();
        JsonNode status = at(next, "status");
        JsonNode allocation = at(status, "allocation");
        JsonNode before = at(at(old, "status"), "allocation");
        adminAccess.results(next, old, errors);
        reserved(items(status, "reservedFor"), errors);
        if (!items(status, "reservedFor").isEmpty() && allocation.isMissingNode())
            errors.forbidden("status.reservedFor", "may not be specified when `allocated` is not set");
        if (allocation.isMissingNode()) return errors.list();
        if (before.isMissingNode()) allocation(allocation, devices(next), errors);
        else if (!allocation.equals(before))
            errors.invalid(
                    "status.allocation", InternalForm.of("resource.AllocationResult", allocation), Metadata.IMMUTABLE);
        return errors.list();
    }

    private static void reserved(ArrayNode consumers, Errors errors) {
        if (!DeviceClaims.fits(consumers, 256, "status.reservedFor", errors)) return;
        for (int i = 0; i < consumers.size(); i++)
            for (String field : List.of("resource", "name", "uid"))
                if (text(consumers.get(i), field).isEmpty())
                    errors.required("status.reservedFor[" + i + "]." + field, "");
        DeviceClaims.unique(consumers, "uid", "status.reservedFor", errors);
    }

    private static void allocation(JsonNode allocation, JsonNode devices, Errors errors) {
        String path = "status.allocation.devices";
        var results = items(at(allocation, "devices"), "results");
        if (DeviceClaims.fits(results, 32, path + ".results", errors))
            for (int i = 0; i < results.size(); i++)
                result(results.get(i), devices, path + ".results[" + i + "]", errors);
        var config = items(at(allocation, "devices"), "config");
        if (DeviceClaims.fits(config, 64, path + ".config", errors))
            for (int i = 0; i < config.size(); i++) {
                String at = path + ".config[" + i + "]";
                String source = text(config.get(i), "source");
                if (source.isEmpty()) errors.required(at + ".source", "");
                else if (!source.equals("FromClaim") && !source.equals("FromClass"))
                    errors.notSupported(at + ".source", source, List.of("FromClaim", "FromClass"));
                DeviceClaims.references(config.get(i), devices, at, errors);
                DeviceClaims.opaque(config.get(i), at, errors);
            }
        if (has(allocation, "nodeSelector"))
            AffinityCheck.nodeSelector(at(allocation, "nodeSelector"), "status.allocation.nodeSelector", errors);
    }

    private static void result(JsonNode result, JsonNode devices, String at, Errors errors) {
        DeviceClaims.reference(text(result, "request"), devices, at + ".request", errors);
        DeviceClaims.driver(text(result, "driver"), at + ".driver", errors);
        ResourceSliceRules.pool(text(result, "pool"), at + ".pool", errors);
        errors.invalid(at + ".device", text(result, "device"), Names.label(text(result, "device")));
    }
}
