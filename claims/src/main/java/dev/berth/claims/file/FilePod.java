package dev.berth.claims.file;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.demand.PodPlans.PodIdentity;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Fields;
import dev.berth.claims.manifest.Manifest;
import dev.berth.kube.fit.PodNeeds;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pod of a file.
 *
 * @param nodeName empty for a pod that waits for a node
 */
record FilePod(
        ObjectNode body,
        PodIdentity identity,
        Optional<PodClaims> claims,
        Pod model,
        PodNeeds needs,
        String nodeName,
        String phase) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<String> OVER = Set.of("Succeeded", "Failed");

    static FilePod read(Manifest manifest) {
        var metadata = manifest.fields().require("metadata").fields();
        String name = metadata.require("name").text();
        String namespace = metadata.text("namespace").orElse("default");
        String uid = metadata.text("uid").orElse("");
        var body = manifest.body().deepCopy();
        var identified = body.deepCopy();
        // Checks tell pods apart by their uid, which files rarely have.
        identified.withObjectProperty("metadata").put("uid", namespace + "/" + name);
        return new FilePod(
                body,
                new PodIdentity(namespace, name, uid),
                PodClaims.read(manifest),
                model(manifest, identified),
                needs(manifest, identified),
                body.path("spec").path("nodeName").asText(""),
                body.path("status").path("phase").asText("Pending"));
    }

    private static PodNeeds needs(Manifest manifest, ObjectNode body) {
        try {
            return PodNeeds.of(model(manifest, body));
        } catch (IllegalArgumentException malformed) {
            throw manifest.problem("is not a pod that a server would take: "
                    + String.valueOf(malformed.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static Pod model(Manifest manifest, ObjectNode body) {
        var spec = manifest.fields().require("spec").fields();
        spec.require("containers").items().forEach(container -> amounts(container.fields()));
        spec.items("initContainers").forEach(container -> amounts(container.fields()));
        spec.items("resourceClaims")
                .forEach(claim -> claim.fields().require("name").text());
        try {
            return MAPPER.convertValue(body, Pod.class);
        } catch (IllegalArgumentException malformed) {
            throw manifest.problem("is not a pod that a server would take: "
                    + String.valueOf(malformed.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static void amounts(Fields container) {
        container.find("resources").map(Field::fields).ifPresent(resources -> {
            for (var kind : List.of("requests", "limits")) {
                resources
                        .find(kind)
                        .ifPresent(amounts -> amounts.entries().values().forEach(Field::quantity));
            }
        });
    }

    /** Whether the pod has claims of {@code resource.k8s.io}. */
    boolean hasResourceClaims() {
        return !Given.list(model.getSpec().getResourceClaims()).isEmpty();
    }

    boolean isPending() {
        return nodeName.isEmpty() && !OVER.contains(phase);
    }

    boolean takesRoom() {
        return !nodeName.isEmpty() && !OVER.contains(phase);
    }

    ObjectNode bound(String node) {
        var bound = body.deepCopy();
        bound.withObjectProperty("spec").put("nodeName", node);
        return bound;
    }
}
