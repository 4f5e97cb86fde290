package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.FieldError;
import java.util.List;

/** What Kubernetes knows of a DeviceClass. */
final class DeviceClassRules implements KindRules {
    @Override
    public List<FieldError> validate(ObjectNode deviceClass) {
        var errors = new Errors();
        JsonNode spec = at(deviceClass, "spec");
        DeviceClaims.selectors(items(spec, "selectors"), "spec.selectors", errors);
        var config = items(spec, "config");
        if (DeviceClaims.fits(config, 32, "spec.config", errors))
            for (int i = 0; i < config.size(); i++)
                DeviceClaims.opaque(config.get(i), "spec.config[" + i + "]", errors);
        String extended = text(spec, "extendedResourceName");
        if (!extended.isEmpty() && !ResourceCheck.isExtended(extended))
            errors.invalid("spec.extendedResourceName", extended, "must be a valid extended resource name");
        return errors.list();
    }

    @Override
    public List<FieldError> validateUpdate(ObjectNode next, ObjectNode old) {
        return validate(next);
    }
}
