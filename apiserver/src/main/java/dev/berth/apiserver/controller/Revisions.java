package dev.berth.apiserver.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.api.Api.Deletion;
import dev.berth.apiserver.api.Resources;
import dev.berth.apiserver.status.ApiException;
import java.util.Comparator;
import java.util.List;

/** The templates that a StatefulSet had, kept as ControllerRevisions. */
final class Revisions {
    private static final String HASH = "controller.kubernetes.io/hash";

    private final Cluster cluster;
    private final Mirror mirror;

    Revisions(Cluster cluster) {
        this.cluster = cluster;
        this.mirror = cluster.mirror(Resources.CONTROLLER_REVISIONS);
    }

    /** The name of the revision of the set's template as it is now; stored when it is new, moved up when it is back. */
    String ensure(ObjectNode set) {
        String hash = TemplateHash.of(set.path("spec").path("template"), 0);
        String name = Fields.name(set) + "-" + hash;
        List<ObjectNode> known = mirror.controlledBy(Fields.uid(set));
        long last = known.stream()
                .mapToLong(each -> each.path("revision").asLong())
                .max()
                .orElse(0);
        ObjectNode same = known.stream()
                .filter(each -> Fields.name(each).equals(name))
                .findFirst()
                .orElse(null);
        if (same == null) create(set, name, hash, last + 1);
        else if (same.path("revision").asLong() < last) {
            cluster.modify(Resources.CONTROLLER_REVISIONS, same, live -> {
                live.put("revision", last + 1);
                return true;
            });
        }
        tidy(set, known, name);
        return name;
    }

    private void create(ObjectNode set, String name, String hash, long number) {
        var revision = JsonNodeFactory.instance.objectNode();
        revision.put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
        ObjectNode metadata = revision.putObject("metadata");
        metadata.put("name", name).put("namespace", Fields.namespace(set));
        JsonNode labels = set.path("spec").path("template").path("metadata").path("labels");
        ObjectNode own = metadata.putObject("labels");
        if (labels instanceof ObjectNode given) own.setAll(given);
        own.put(HASH, hash);
        metadata.putArray("ownerReferences").add(Fields.controllerReference(set));
        ObjectNode template = set.path("spec").path("template").deepCopy();
        template.put("$patch", "replace");
        revision.putObject("data").putObject("spec").set("template", template);
        revision.put("revision", number);
        try {
            cluster.create(Resources.CONTROLLER_REVISIONS, Fields.namespace(set), revision);
        } catch (ApiException refused) {
            if (refused.code() != 409) throw refused;
        }
    }

    /** The template of a revision; the set's own when the revision is not kept any more. */
    JsonNode template(ObjectNode set, String revision) {
        return mirror.get(new Key(Fields.namespace(set), revision))
                .map(stored -> {
                    ObjectNode template =
                            stored.path("data").path("spec").path("template").deepCopy();
                    template.remove("$patch");
                    return (JsonNode) template;
                })
                .orElse(set.path("spec").path("template"));
    }

    private void tidy(ObjectNode set, List<ObjectNode> known, String update) {
        int limit = set.path("spec").path("revisionHistoryLimit").asInt(10);
        String current = set.path("status").path("currentRevision").asText();
        List<ObjectNode> idle = known.stream()
                .filter(each ->
                        !Fields.name(each).equals(update) && !Fields.name(each).equals(current))
                .sorted(Comparator.comparingLong(each -> each.path("revision").asLong()))
                .toList();
        for (int i = 0; i < idle.size() - limit; i++) {
            ObjectNode oldest = idle.get(i);
            cluster.delete(Resources.CONTROLLER_REVISIONS, oldest, Deletion.of(Fields.uid(oldest)));
        }
    }
}
