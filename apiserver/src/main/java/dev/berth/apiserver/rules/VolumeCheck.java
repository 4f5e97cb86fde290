package dev.berth.apiserver.rules;

import static dev.berth.apiserver.rules.Tree.at;
import static dev.berth.apiserver.rules.Tree.has;
import static dev.berth.apiserver.rules.Tree.items;
import static dev.berth.apiserver.rules.Tree.number;
import static dev.berth.apiserver.rules.Tree.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds what is wrong in a pod's volumes. */
final class VolumeCheck {
    /** In the order in which the real server looks: all but the first one found are forbidden. */
    private static final List<String> SOURCES = List.of(
            "emptyDir",
            "hostPath",
            "gitRepo",
            "gcePersistentDisk",
            "awsElasticBlockStore",
            "secret",
            "nfs",
            "iscsi",
            "glusterfs",
            "persistentVolumeClaim",
            "rbd",
            "cinder",
            "cephfs",
            "flocker",
            "downwardAPI",
            "fc",
            "flexVolume",
            "configMap",
            "azureFile",
            "vsphereVolume",
            "photonPersistentDisk",
            "portworxVolume",
            "azureDisk",
            "storageos",
            "projected",
            "scaleIO",
            "csi",
            "ephemeral",
            "image");

    private static final String FILE_MODE = "must be a number between 0 and 0777 (octal), both inclusive";

    private VolumeCheck() {}

    /** @return the names that containers may mount */
    static Set<String> run(ArrayNode volumes, String path, Errors errors) {
        if (volumes.isEmpty()) return Set.of();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < volumes.size(); i++) {
            JsonNode volume = volumes.get(i);
            String at = path + "[" + i + "]";
            String name = text(volume, "name");
            source(volume, at, errors);
            if (name.isEmpty()) errors.required(at + ".name", "");
            else {
                var wrong = Names.label(name);
                errors.invalid(at + ".name", name, wrong);
                if (wrong.isEmpty() && !names.add(name)) errors.duplicate(at + ".name", name);
            }
        }
        return names;
    }

    private static void source(JsonNode volume, String path, Errors errors) {
        boolean found = false;
        for (String kind : SOURCES) {
            if (!has(volume, kind)) continue;
            if (found) errors.forbidden(path + "." + kind, "may not specify more than 1 volume type");
            else one(kind, at(volume, kind), path + "." + kind, errors);
            found = true;
        }
        if (!found) errors.required(path, "must specify a volume type");
    }

    private static void one(String kind, JsonNode source, String path, Errors errors) {
        switch (kind) {
            case "emptyDir" -> {
                if (text(source, "sizeLimit").startsWith("-"))
                    errors.forbidden(path + ".sizeLimit", "SizeLimit field must be a valid resource quantity");
            }
            case "hostPath" -> hostPath(text(source, "path"), path + ".path", errors);
            case "secret" -> {
                required(source, "secretName", path, errors);
                files(source, path, errors);
            }
            case "configMap" -> {
                required(source, "name", path, errors);
                files(source, path, errors);
            }
            case "persistentVolumeClaim" -> required(source, "claimName", path, errors);
            case "nfs" -> {
                required(source, "server", path, errors);
                required(source, "path", path, errors);
            }
            case "csi" -> required(source, "driver", path, errors);
            case "downwardAPI", "projected" -> mode(source, "defaultMode", path, errors);
            case "ephemeral" -> {
                if (!has(source, "volumeClaimTemplate")) errors.required(path + ".volumeClaimTemplate", "");
            }
            case "image" -> required(source, "reference", path, errors);
            default -> {}
        }
    }

    private static void required(JsonNode source, String field, String path, Errors errors) {
        if (text(source, field).isEmpty()) errors.required(path + "." + field, "");
    }

    private static void hostPath(String target, String path, Errors errors) {
        if (target.isEmpty()) errors.required(path, "");
        else backsteps(target, path, errors);
    }

    private static void files(JsonNode source, String path, Errors errors) {
        mode(source, "defaultMode", path, errors);
        var files = items(source, "items");
        for (int i = 0; i < files.size(); i++) {
            String at = path + ".items[" + i + "]";
            required(files.get(i), "key", at, errors);
            String target = text(files.get(i), "path");
            if (target.isEmpty()) errors.required(at + ".path", "");
            else {
                descending(target, at + ".path", errors);
                if (target.startsWith("..") && !target.startsWith("../"))
                    errors.invalid(at + ".path", target, "must not start with '..'");
            }
            mode(files.get(i), "mode", at, errors);
        }
    }

    private static void mode(JsonNode source, String field, String path, Errors errors) {
        if (has(source, field) && (number(source, field) < 0 || number(source, field) > 511))
            errors.invalid(path + "." + field, number(source, field), FILE_MODE);
    }

    /** Refuses paths that start at the root or climb. */
    static void descending(String target, String path, Errors errors) {
        if (target.startsWith("/")) errors.invalid(path, target, "must be a relative path");
        backsteps(target, path, errors);
    }

    private static void backsteps(String target, String path, Errors errors) {
        if (!target.contains("..")) return;
        for (String part : target.split("/"))
            if (part.equals("..")) {
                errors.invalid(path, target, "must not contain '..'");
                return;
            }
    }
}
