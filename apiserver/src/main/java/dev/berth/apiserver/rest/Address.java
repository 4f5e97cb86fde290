package dev.berth.apiserver.rest;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a path under {@code /api} or {@code /apis} names. Parts that are absent are empty.
 *
 * @param rest what follows the subresource, as in {@code proxy} paths
 */
record Address(
        String group,
        String version,
        String namespace,
        String plural,
        String name,
        String subresource,
        String rest,
        boolean legacyWatch) {

    /** Empty when the path has no resource in it. */
    static Optional<Address> of(String path) {
        String[] parts = split(path);
        int at;
        String group = "";
        if (parts.length >= 2 && parts[0].equals("api")) {
            at = 1;
        } else if (parts.length >= 3 && parts[0].equals("apis")) {
            group = parts[1];
            at = 2;
        } else {
            return Optional.empty();
        }
        String version = parts[at++];
        boolean watch = at < parts.length && parts[at].equals("watch");
        if (watch) at++;
        if (at >= parts.length) return Optional.empty();
        String namespace = "";
        // /namespaces/x/pods is of pods; /namespaces/x, /namespaces/x/status and /namespaces/x/finalize are not.
        if (parts[at].equals("namespaces") && at + 2 < parts.length && !ofNamespaceItself(parts[at + 2])) {
            namespace = parts[at + 1];
            at += 2;
        }
        String plural = parts[at++];
        String name = at < parts.length ? parts[at++] : "";
        String subresource = at < parts.length ? parts[at++] : "";
        if (plural.equals("namespaces")) namespace = name;
        String rest = at < parts.length ? String.join("/", Arrays.asList(parts).subList(at, parts.length)) : "";
        return Optional.of(new Address(group, version, namespace, plural, name, subresource, rest, watch));
    }

    private static boolean ofNamespaceItself(String part) {
        return part.equals("status") || part.equals("finalize");
    }

    static String[] split(String path) {
        int start = path.startsWith("/") ? 1 : 0;
        int end = path.endsWith("/") && path.length() > 1 ? path.length() - 1 : path.length();
        String[] parts = path.substring(Math.min(start, end), end).split("/", -1);
        if (path.indexOf('%') < 0) return parts;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = URLDecoder.decode(parts[i].replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        return parts;
    }
}
