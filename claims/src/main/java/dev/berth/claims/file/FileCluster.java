package dev.berth.claims.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.claims.api.ConfigReference;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DeviceClass;
import dev.berth.claims.api.DeviceDriver;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.api.Group;
import dev.berth.claims.cel.Constraints;
import dev.berth.claims.demand.Classes;
import dev.berth.claims.demand.Lookup;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A cluster as files describe it. Claims change while pods are placed; everything else stays. */
final class FileCluster implements Lookup {
    private final Map<String, DeviceClass> classes = new TreeMap<>();
    private final Map<String, DeviceDriver> drivers = new TreeMap<>();
    private final Map<String, DevicePool> pools = new TreeMap<>();
    private final Map<String, DeviceClaim> claims = new TreeMap<>();
    private final Map<String, DevicePrivilegedClaim> privilegedClaims = new TreeMap<>();
    private final Map<String, FileNode> nodes = new TreeMap<>();
    private final List<FilePod> pods = new ArrayList<>();
    private final Map<String, JsonNode> others = new TreeMap<>();
    private final Map<String, String> seen = new TreeMap<>();
    private final Map<String, Map<String, String>> namespaces = new TreeMap<>();
    private final ResourceFiles resources = new ResourceFiles();

    /** @throws ManifestException if an object cannot be understood, or is there twice */
    static FileCluster of(Collection<Manifest> manifests) {
        var cluster = new FileCluster();
        manifests.forEach(cluster::add);
        return cluster;
    }

    private void add(Manifest manifest) {
        String kind = manifest.kind();
        String name = manifest.body().path("metadata").path("name").asText();
        if (manifest.apiVersion().equals(Group.API_VERSION)) {
            addOwn(manifest, kind);
        } else if (manifest.apiVersion().startsWith(ResourceFiles.GROUP)) {
            resources.add(manifest);
        } else if (manifest.apiVersion().equals("v1") && kind.equals("Namespace")) {
            namespaces.put(name, labels(manifest));
        } else if (manifest.apiVersion().equals("v1") && kind.equals("Pod")) {
            pods.add(FilePod.read(manifest));
        } else if (manifest.apiVersion().equals("v1") && kind.equals("Node")) {
            nodes.put(name, FileNode.read(manifest));
        } else {
            others.put(key(manifest.apiVersion(), kind, namespace(manifest), name), manifest.body());
        }
        String identity = key(manifest.apiVersion(), kind, namespace(manifest), name);
        // One that a server is to find a name for is never another's double.
        if (!name.isEmpty() && seen.put(identity, name) != null) {
            throw manifest.problem("is a second %s called %s".formatted(kind, name));
        }
    }

    private void addOwn(Manifest manifest, String kind) {
        switch (kind) {
            case DeviceClass.KIND -> {
                var read = DeviceClass.read(manifest);
                Constraints.check(manifest);
                classes.put(read.name(), read);
            }
            case DeviceDriver.KIND -> {
                var read = DeviceDriver.read(manifest);
                drivers.put(read.name(), read);
            }
            case DevicePool.KIND -> {
                var read = DevicePool.read(manifest);
                pools.put(read.name(), read);
            }
            case DeviceClaim.KIND -> {
                var read = DeviceClaim.read(manifest);
                Constraints.check(manifest);
                claims.put(read.metadata().full(), read);
            }
            case DevicePrivilegedClaim.KIND -> {
                var read = DevicePrivilegedClaim.read(manifest);
                Constraints.check(manifest);
                privilegedClaims.put(read.metadata().full(), read);
            }
            default ->
                throw manifest.problem("kind: %s is none of %s's; there are DeviceClass, DeviceClaim, DeviceDriver, "
                                .formatted(kind, Group.API_VERSION)
                        + "DevicePool and DevicePrivilegedClaim");
        }
    }

    private static Map<String, String> labels(Manifest manifest) {
        Map<String, String> labels = new TreeMap<>();
        manifest.body()
                .path("metadata")
                .path("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return labels;
    }

    ResourceFiles resources() {
        return resources;
    }

    /** The labels of each namespace that the files have. */
    Map<String, Map<String, String>> namespaces() {
        return namespaces;
    }

    private static String namespace(Manifest manifest) {
        return manifest.body().path("metadata").path("namespace").asText("default");
    }

    private static String key(String... parts) {
        return String.join("|", parts);
    }

    Classes classes() {
        return new Classes(classes.values(), drivers.values());
    }

    Collection<DevicePool> pools() {
        return pools.values();
    }

    Collection<DeviceClaim> claims() {
        return claims.values();
    }

    Map<String, FileNode> nodes() {
        return nodes;
    }

    List<FilePod> pods() {
        return pods;
    }

    void put(DeviceClaim claim) {
        claims.put(claim.metadata().full(), claim);
    }

    void put(DevicePrivilegedClaim claim) {
        privilegedClaims.put(claim.metadata().full(), claim);
    }

    @Override
    public Optional<DeviceClaim> claim(String namespace, String name) {
        return Optional.ofNullable(claims.get(namespace + "/" + name));
    }

    @Override
    public Optional<DevicePrivilegedClaim> privilegedClaim(String namespace, String name) {
        return Optional.ofNullable(privilegedClaims.get(namespace + "/" + name));
    }

    @Override
    public Optional<DevicePool> pool(String name) {
        return Optional.ofNullable(pools.get(name));
    }

    @Override
    public Optional<JsonNode> config(ConfigReference reference, String namespace) {
        String within = namespace.isEmpty() ? "default" : namespace;
        return Optional.ofNullable(others.get(key(reference.apiVersion(), reference.kind(), within, reference.name())));
    }
}
