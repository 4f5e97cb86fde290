package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.absentNumber;
import static dev.berth.apiserver.rules.Tree.absentText;
import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.defaultText;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.objectAt;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What Kubernetes fills into one volume of a pod. */
final class VolumeDefaults {
    /** 0644. */
    private static final int FILE_MODE = 420;

    private VolumeDefaults() {}

    static void apply(ObjectNode volume) {
        // Only a name: the volume has no source.
        if (volume.size() <= 1) volume.putObject("emptyDir");
        for (String kind : new String[] {"configMap", "secret", "downwardAPI", "projected"})
            if (volume.get(kind) instanceof ObjectNode source) absentNumber(source, "defaultMode", FILE_MODE);
        downward(at(volume, "downwardAPI"));
        for (JsonNode source : items(at(volume, "projected"), "sources")) projected(source);
        if (volume.get("hostPath") instanceof ObjectNode path) absentText(path, "type", "");
        if (volume.get("image") instanceof ObjectNode image
                && text(image, "pullPolicy").isEmpty())
            image.put("pullPolicy", Images.pullPolicy(text(image, "reference")));
        if (volume.get("iscsi") instanceof ObjectNode disk) defaultText(disk, "iscsiInterface", "default");
        if (volume.get("rbd") instanceof ObjectNode disk) {
            defaultText(disk, "pool", "rbd");
            defaultText(disk, "user", "admin");
            defaultText(disk, "keyring", "/etc/ceph/keyring");
        }
        if (at(at(volume, "ephemeral"), "volumeClaimTemplate") instanceof ObjectNode template)
            absentText(objectAt(template, "spec"), "volumeMode", "Filesystem");
    }

    private static void downward(JsonNode source) {
        for (JsonNode item : items(source, "items")) {
            PodSpecDefaults.fieldReference(item);
            if (at(item, "resourceFieldRef") instanceof ObjectNode resource) PodSpecDefaults.divisor(resource);
        }
    }

    private static void projected(JsonNode source) {
        downward(at(source, "downwardAPI"));
        if (at(source, "serviceAccountToken") instanceof ObjectNode token)
            absentNumber(token, "expirationSeconds", 3600);
    }
}
