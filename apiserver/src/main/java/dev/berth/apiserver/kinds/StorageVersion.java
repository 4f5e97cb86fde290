package dev.berth.apiserver.kinds;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** The short name of the form in which a kind is stored, as discovery tells it. */
final class StorageVersion {
    private StorageVersion() {}

    static String hash(ResourceType type) {
        // Events of both groups are stored as those of the core group.
        String group = type.group().equals("events.k8s.io") ? "" : type.group();
        // Some kinds are still stored in the form of their first version.
        String version = switch (type.kind()) {
            case "CustomResourceDefinition" -> "v1beta1";
            case "DeviceTaintRule" -> "v1alpha3";
            default -> type.version();
        };
        String name = "%s/%s/%s".formatted(group, version, type.kind());
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(Arrays.copyOf(digest, 8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
