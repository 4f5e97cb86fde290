package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.status.ApiException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the claims that pods want from a template, and says in the pod's status which they are. A scheduler waits for
 * that. They go with their pod.
 */
final class ResourceClaims implements Controller {
    private static final String USE = "resource.kubernetes.io/pod-claim-name";

    private final Cluster cluster;
    private final WorkQueue<Key> queue = new WorkQueue<>();
    private final Mirror pods;
    private final Mirror claims;
    private final Mirror templates;

    ResourceClaims(Cluster cluster) {
        this.cluster = cluster;
        this.pods = cluster.mirror(Resources.PODS);
        this.claims = cluster.mirror(Resources.CLAIMS);
        this.templates = cluster.mirror(Resources.CLAIM_TEMPLATES);
        pods.follow((_, now) -> {
            if (now != null && Pods.active(now) && !missing(now).isEmpty()) queue.add(Key.of(now));
        });
        templates.follow((before, now) -> {
            if (before == null && now != null) waitingFor(now);
        });
    }

    private void waitingFor(ObjectNode template) {
        for (ObjectNode pod : pods.all()) {
            if (Fields.namespace(pod).equals(Fields.namespace(template))
                    && missing(pod).containsValue(Fields.name(template))) {
                queue.add(Key.of(pod));
            }
        }
    }

    /** The templates of which the pod's status names no claim yet, by what the pod calls the claim. */
    private static Map<String, String> missing(ObjectNode pod) {
        Map<String, String> missing = new LinkedHashMap<>();
        for (JsonNode use : pod.path("spec").path("resourceClaims")) {
            String template = use.path("resourceClaimTemplateName").asText("");
            if (!template.isEmpty()) missing.put(use.path("name").asText(), template);
        }
        for (JsonNode known : pod.path("status").path("resourceClaimStatuses")) {
            missing.remove(known.path("name").asText());
        }
        return missing;
    }

    @Override
    public String name() {
        return "resourceclaim-controller";
    }

    @Override
    public WorkQueue<Key> queue() {
        return queue;
    }

    @Override
    public Optional<Duration> reconcile(Key key) {
        ObjectNode pod = pods.get(key).filter(Pods::active).orElse(null);
        if (pod == null) return Optional.empty();
        Map<String, String> made = new LinkedHashMap<>();
        missing(pod).forEach((use, template) -> claim(pod, use, template).ifPresent(name -> made.put(use, name)));
        if (!made.isEmpty()) cluster.modifyStatus(Resources.PODS, pod, live -> name(live, made));
        return Optional.empty();
    }

    /** The pod's claim of this name, made now or by an earlier try; nothing while its template is not there. */
    private Optional<String> claim(ObjectNode pod, String use, String template) {
        for (ObjectNode known : claims.controlledBy(Fields.uid(pod))) {
            if (Fields.annotation(known, USE).equals(use)) return Optional.of(Fields.name(known));
        }
        return templates.get(new Key(Fields.namespace(pod), template)).flatMap(from -> create(pod, use, from));
    }

    private Optional<String> create(ObjectNode pod, String use, ObjectNode template) {
        var claim = JsonNodeFactory.instance.objectNode();
        claim.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
        ObjectNode metadata = claim.putObject("metadata");
        metadata.put("generateName", "%s-%s-".formatted(Fields.name(pod), use));
        metadata.put("namespace", Fields.namespace(pod));
        JsonNode written = template.path("spec").path("metadata");
        if (!written.path("labels").isEmpty())
            metadata.set("labels", written.path("labels").deepCopy());
        ObjectNode annotations = metadata.putObject("annotations");
        written.path("annotations").properties().forEach(each -> annotations.set(each.getKey(), each.getValue()));
        annotations.put(USE, use);
        ObjectNode owner = Fields.controllerReference(pod);
        // A pod need not wait for its claims to go.
        owner.remove("blockOwnerDeletion");
        metadata.putArray("ownerReferences").add(owner);
        claim.set("spec", template.path("spec").path("spec").deepCopy());
        try {
            return Optional.of(Fields.name(cluster.create(Resources.CLAIMS, Fields.namespace(pod), claim)));
        } catch (ApiException refused) {
            // The namespace is on its way out.
            if (refused.code() == 403 || refused.code() == 404) return Optional.empty();
            throw refused;
        }
    }

    private static boolean name(ObjectNode pod, Map<String, String> made) {
        var missing = missing(pod);
        ArrayNode statuses = pod.withObjectProperty("status").withArrayProperty("resourceClaimStatuses");
        made.forEach((use, claim) -> {
            if (missing.containsKey(use)) statuses.addObject().put("name", use).put("resourceClaimName", claim);
        });
        return made.keySet().stream().anyMatch(missing::containsKey);
    }
}
