package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which names a definition gets, when other definitions of its group hold some; the conditions say so. */
public final class NameClaims {
    private NameClaims() {}

    /** The status that the definition should have, with times kept where nothing changed. */
    public static ObjectNode settle(ObjectNode definition, LiveCatalog catalog, Instant now) {
        JsonNode spec = definition.path("spec");
        JsonNode wanted = spec.path("names");
        Set<String> resources = new HashSet<>();
        Set<String> kinds = new HashSet<>();
        for (CustomDefinition other : catalog.definitions().values()) {
            if (!other.group().equals(spec.path("group").asText())
                    || other.name().equals(definition.at("/metadata/name").asText())) continue;
            resources.add(other.names().plural());
            resources.add(other.names().singular());
            resources.addAll(other.names().shortNames());
            kinds.add(other.names().kind());
            kinds.add(other.names().listKind());
        }
        List<String> conflicts = new ArrayList<>();
        String reason = "";
        ObjectNode status = definition.path("status") instanceof ObjectNode found
                ? found.deepCopy()
                : JsonNodeFactory.instance.objectNode();
        ObjectNode accepted = status.putObject("acceptedNames");
        for (String field : List.of("plural", "singular", "shortNames", "kind", "listKind", "categories")) {
            if (!wanted.has(field)) continue;
            Set<String> taken = field.endsWith("ind") || field.endsWith("Kind") ? kinds : resources;
            List<String> clashes = field.equals("categories") ? List.of() : clashes(wanted.get(field), taken);
            if (clashes.isEmpty()) {
                accepted.set(field, wanted.get(field).deepCopy());
            } else {
                clashes.forEach(name -> conflicts.add("\"" + name + "\" is already in use"));
                if (reason.isEmpty()) reason = conflictReason(field);
            }
        }
        boolean free = conflicts.isEmpty();
        condition(
                status,
                "NamesAccepted",
                free,
                free ? "NoConflicts" : reason,
                free ? "no conflicts found" : String.join(", ", conflicts),
                now);
        boolean established = free || isEstablished(status);
        condition(
                status,
                "Established",
                established,
                established ? "InitialNamesAccepted" : "NotAccepted",
                established ? "the initial names have been accepted" : "not all names are accepted",
                now);
        storedVersions(status, spec);
        return status;
    }

    private static void storedVersions(ObjectNode status, JsonNode spec) {
        var stored = status.path("storedVersions").isArray()
                ? status.withArrayProperty("storedVersions")
                : status.putArray("storedVersions");
        for (JsonNode version : spec.path("versions")) {
            if (!version.path("storage").asBoolean()) continue;
            for (JsonNode each : stored) if (each.equals(version.get("name"))) return;
            stored.add(version.path("name").asText());
        }
    }

    private static String conflictReason(String field) {
        return switch (field) {
            case "plural" -> "PluralConflict";
            case "singular" -> "SingularConflict";
            case "shortNames" -> "ShortNamesConflict";
            case "kind" -> "KindConflict";
            default -> "ListKindConflict";
        };
    }

    private static List<String> clashes(JsonNode names, Set<String> taken) {
        List<String> clashes = new ArrayList<>();
        if (names.isTextual()) {
            if (taken.contains(names.asText())) clashes.add(names.asText());
        } else {
            names.forEach(name -> {
                if (taken.contains(name.asText())) clashes.add(name.asText());
            });
        }
        return clashes;
    }

    /** Whether this status of a definition says that its kind is served. */
    public static boolean isEstablished(JsonNode status) {
        for (JsonNode condition : status.path("conditions")) {
            if (condition.path("type").asText().equals("Established")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }

    private static void condition(
            ObjectNode status, String type, boolean holds, String reason, String message, Instant now) {
        var conditions = status.path("conditions").isArray()
                ? status.withArrayProperty("conditions")
                : status.putArray("conditions");
        ObjectNode condition = null;
        for (JsonNode each : conditions) {
            if (each.path("type").asText().equals(type)) condition = (ObjectNode) each;
        }
        if (condition == null) condition = conditions.addObject();
        String value = holds ? "True" : "False";
        if (!condition.path("status").asText().equals(value)) {
            condition.put(
                    "lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        condition
                .put("message", message)
                .put("reason", reason)
                .put("status", value)
                .put("type", type);
    }
}
