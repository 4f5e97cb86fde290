package dev.berth.claims.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.manifest.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Access to all matching devices of a driver on the pod's node, whoever holds them. */
public record DevicePrivilegedClaim(
        Metadata metadata,
        String driver,
        Optional<String> constraints,
        List<ConfigReference> configs,
        ClaimStatus status) {
    public static final String KIND = "DevicePrivilegedClaim";

    /** The name of its only instance, for containers that mention it. */
    public static final String INSTANCE = "devices";

    public DevicePrivilegedClaim {
        configs = List.copyOf(configs);
    }

    public static DevicePrivilegedClaim read(Manifest manifest) {
        var object = manifest.fields();
        var metadata = Metadata.namespaced(object.skip("apiVersion", "kind"));
        var spec = object.require("spec").fields();
        var claim = new DevicePrivilegedClaim(
                metadata,
                spec.require("driver").text(),
                spec.text("constraints"),
                ConfigReference.ofClaim(spec.items("configs", "config")),
                object.find("status").map(ClaimStatus::read).orElse(ClaimStatus.EMPTY));
        spec.done();
        object.done();
        return claim;
    }

    /** What replaced this kind: the same as a claim with admin access. */
    public DeviceClaim asClaim() {
        var detail = new Detail(
                Optional.empty(),
                Optional.of(driver),
                true,
                false,
                constraints,
                OptionalInt.empty(),
                new TreeMap<>(),
                List.of(),
                List.of(),
                configs);
        var instance = new DeviceClaim.Instance(INSTANCE, List.of(detail), List.of());
        return new DeviceClaim(metadata, new DeviceClaim.Spec(List.of(), List.of(), List.of(instance)), status);
    }

    public DevicePrivilegedClaim withStatus(ClaimStatus next) {
        return new DevicePrivilegedClaim(metadata, driver, constraints, configs, next);
    }

    public ObjectNode json() {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", Group.API_VERSION).put("kind", KIND);
        json.set("metadata", metadata.all());
        var spec = json.putObject("spec").put("driver", driver);
        constraints.ifPresent(text -> spec.put("constraints", text));
        configs.forEach(config -> spec.withArrayProperty("configs").add(config.json()));
        if (!status.isEmpty()) {
            json.set("status", status.json());
        }
        return json;
    }
}
