package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The rows of volumes and their classes. */
final class StorageCells {
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";

    private StorageCells() {}

    static void claim(Row row) {
        boolean bound = !row.at("/spec/volumeName").isEmpty();
        row.name()
                .add(row.isDeleted() ? "Terminating" : row.at("/status/phase"))
                .text("/spec/volumeName")
                .add(bound ? row.at("/status/capacity/storage", "0") : "")
                .add(bound ? modes(row.object().at("/status/accessModes")) : "")
                .text("/spec/storageClassName")
                .text("/spec/volumeAttributesClassName", Row.UNSET)
                .age()
                .text("/spec/volumeMode", Row.UNSET);
    }

    static void volume(Row row) {
        boolean claimed = row.object().at("/spec/claimRef").isObject();
        row.name()
                .text("/spec/capacity/storage", "0")
                .add(modes(row.object().at("/spec/accessModes")))
                .text("/spec/persistentVolumeReclaimPolicy")
                .add(row.isDeleted() ? "Terminating" : row.at("/status/phase"))
                .add(claimed ? row.at("/spec/claimRef/namespace") + "/" + row.at("/spec/claimRef/name") : "")
                .text("/spec/storageClassName")
                .text("/spec/volumeAttributesClassName", Row.UNSET)
                .text("/status/reason")
                .age()
                .text("/spec/volumeMode", Row.UNSET);
    }

    private static String modes(JsonNode modes) {
        var words = Map.of(
                "ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX", "ReadWriteMany", "RWX", "ReadWriteOncePod", "RWOP");
        List<String> all = new ArrayList<>();
        for (String mode : List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")) {
            modes.forEach(each -> {
                if (each.asText().equals(mode)) all.add(words.getOrDefault(mode, mode));
            });
        }
        return String.join(",", all);
    }

    static void storageClass(Row row) {
        boolean standard = row.object()
                .at("/metadata/annotations")
                .path(DEFAULT_CLASS)
                .asText()
                .equals("true");
        row.add(row.at("/metadata/name") + (standard ? " (default)" : ""))
                .text("/provisioner")
                .text("/reclaimPolicy", "Delete")
                .text("/volumeBindingMode", "Immediate")
                .add(row.object().path("allowVolumeExpansion").asBoolean())
                .age();
    }

    static void driver(Row row) {
        JsonNode spec = row.object().path("spec");
        String modes = Row.joined(spec.path("volumeLifecycleModes"), ",");
        row.name()
                .add(spec.path("attachRequired").asBoolean(true))
                .add(spec.path("podInfoOnMount").asBoolean())
                .add(spec.path("storageCapacity").asBoolean())
                .add(spec.has("tokenRequests") ? Row.joined(spec.path("tokenRequests"), "audience", ",") : Row.UNSET)
                .add(spec.path("requiresRepublish").asBoolean())
                .add(modes.isEmpty() ? Row.NONE : modes)
                .age();
    }
}
