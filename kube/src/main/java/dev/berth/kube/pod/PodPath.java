package dev.berth.kube.pod;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Where a pod is in the API. */
public final class PodPath {
    private PodPath() {}

    /** Names that no pod can have, as somebody may have written them into a ledger by hand, lead nowhere else. */
    public static String of(String namespace, String name) {
        return "/api/v1/namespaces/%s/pods/%s".formatted(segment(namespace), segment(name));
    }

    private static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
