package dev.berth.claims.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.ConfigReference;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DeviceClass;
import dev.berth.claims.api.DeviceDriver;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.api.Group;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.cel.Constraints;
import dev.berth.claims.manifest.Manifest;
import dev.berth.core.Attribute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The prototype's objects as those of {@code resource.k8s.io/v1}, as far as that has a word for them. */
public final class V1Conversion {
    static final String API_VERSION = "resource.k8s.io/v1";

    private final Map<String, DeviceClass> classes = new TreeMap<>();
    private final Map<String, DeviceDriver> drivers = new TreeMap<>();
    private final List<DevicePool> pools = new ArrayList<>();
    private final List<DeviceClaim> claims = new ArrayList<>();
    private final List<DevicePrivilegedClaim> privilegedClaims = new ArrayList<>();
    private final List<Manifest> pods = new ArrayList<>();
    private final List<Manifest> others = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private V1Conversion() {}

    /**
     * What came of it.
     *
     * @param notes what has no word there, for people
     */
    public record Result(List<ObjectNode> objects, List<String> notes) {}

    public static Result of(Collection<Manifest> manifests) {
        var conversion = new V1Conversion();
        manifests.forEach(conversion::add);
        return conversion.run();
    }

    private void add(Manifest manifest) {
        if (manifest.apiVersion().equals(Group.API_VERSION)) {
            switch (manifest.kind()) {
                case DeviceClass.KIND -> {
                    classes.put(DeviceClass.read(manifest).name(), DeviceClass.read(manifest));
                    Constraints.check(manifest);
                }
                case DeviceDriver.KIND ->
                    drivers.put(DeviceDriver.read(manifest).name(), DeviceDriver.read(manifest));
                case DevicePool.KIND -> pools.add(DevicePool.read(manifest));
                case DeviceClaim.KIND -> {
                    claims.add(DeviceClaim.read(manifest));
                    Constraints.check(manifest);
                }
                case DevicePrivilegedClaim.KIND -> {
                    privilegedClaims.add(DevicePrivilegedClaim.read(manifest));
                    Constraints.check(manifest);
                }
                default -> throw manifest.problem("kind: %s is not known".formatted(manifest.kind()));
            }
        } else if (manifest.kind().equals("Pod")) {
            pods.add(manifest);
        } else {
            others.add(manifest);
        }
    }

    private Result run() {
        List<ObjectNode> objects = new ArrayList<>();
        for (DeviceDriver driver : drivers.values()) {
            notes.add("DeviceDriver %s: there is no such kind; left out".formatted(driver.name()));
        }
        var writer = new V1Claims(this);
        for (DeviceClass each : classes.values()) {
            attempt("DeviceClass " + each.name(), () -> objects.add(writer.deviceClass(each)));
        }
        for (DevicePool pool : pools) {
            attempt("DevicePool " + pool.name(), () -> objects.addAll(new V1Slices(pool, notes).slices()));
        }
        Set<String> templates = templates();
        for (DeviceClaim claim : claims) {
            boolean template = templates.contains(claim.metadata().full());
            attempt("DeviceClaim " + claim.metadata().full(), () -> objects.add(writer.claim(claim, template)));
        }
        for (DevicePrivilegedClaim claim : privilegedClaims) {
            attempt("DevicePrivilegedClaim " + claim.metadata().full(), () -> objects.addAll(writer.privileged(claim)));
        }
        for (Manifest pod : pods) {
            String name = "Pod " + pod.body().at("/metadata/name").asText();
            attempt(name, () -> objects.addAll(writer.pod(pod)));
        }
        others.forEach(other -> objects.add(other.body()));
        return new Result(List.copyOf(objects), List.copyOf(notes));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws NoWordException;
    }

    private void attempt(String what, Step step) {
        try {
            step.run();
        } catch (NoWordException none) {
            notes.add("%s: %s; left out".formatted(what, none.getMessage()));
        }
    }

    /** The claims that pods use as templates. */
    private Set<String> templates() {
        Set<String> names = new HashSet<>();
        for (Manifest pod : pods) {
            String namespace = pod.body().path("metadata").path("namespace").asText("default");
            PodClaims.read(pod).ifPresent(podClaims -> {
                if (podClaims.source() instanceof PodClaims.Template template) {
                    names.add(namespace + "/" + template.claimName());
                }
            });
        }
        return names;
    }

    void note(String note) {
        notes.add(note);
    }

    Map<String, DeviceClass> classes() {
        return classes;
    }

    Map<String, DeviceDriver> drivers() {
        return drivers;
    }

    /** An example of each attribute that the driver's devices have. */
    Map<String, Attribute> attributes(String driver) {
        Map<String, Attribute> known = new HashMap<>();
        for (DevicePool pool : pools) {
            if (pool.driver().equals(driver)) {
                known.putAll(pool.attributes());
                pool.devices().forEach(device -> known.putAll(device.attributes()));
            }
        }
        return known;
    }

    Optional<JsonNode> config(ConfigReference reference, String namespace) {
        for (Manifest other : others) {
            JsonNode metadata = other.body().path("metadata");
            if (other.apiVersion().equals(reference.apiVersion())
                    && other.kind().equals(reference.kind())
                    && metadata.path("name").asText().equals(reference.name())
                    && (namespace.isEmpty()
                            || metadata.path("namespace").asText("default").equals(namespace))) {
                return Optional.of(other.body());
            }
        }
        return Optional.empty();
    }
}
