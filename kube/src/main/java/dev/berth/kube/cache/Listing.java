package dev.berth.kube.cache;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Some objects of one kind, as an API server lists them and tells of their changes.
 *
 * @param root where the kind's version is served, such as {@code /api/v1}
 * @param scope nothing for all namespaces, else {@code /namespaces/}…
 * @param fields which of them, as a field selector; nothing for all
 * @param <T> the kind
 */
public record Listing<T extends HasMetadata>(String root, String scope, String plural, String fields, Class<T> type) {
    /** All objects of a kind. */
    public static <T extends HasMetadata> Listing<T> of(Class<T> type) {
        return new Listing<>(root(HasMetadata.getApiVersion(type)), "", HasMetadata.getPlural(type), "", type);
    }

    /** All objects of a kind that has no class. */
    public static Listing<GenericKubernetesResource> of(String apiVersion, String plural) {
        return new Listing<>(root(apiVersion), "", plural, "", GenericKubernetesResource.class);
    }

    private static String root(String apiVersion) {
        return (apiVersion.contains("/") ? "/apis/" : "/api/") + apiVersion;
    }

    public Listing<T> in(String namespace) {
        return new Listing<>(root, "/namespaces/" + namespace, plural, fields, type);
    }

    public Listing<T> named(String name) {
        return where("metadata.name=" + name);
    }

    /** @param selector as in {@code kubectl get --field-selector} */
    public Listing<T> where(String selector) {
        return new Listing<>(root, scope, plural, selector, type);
    }

    /** The page after the one that ended with this token; the first one for none. */
    String page(int size, String token) {
        return path() + "limit=" + size + (token.isEmpty() ? "" : "&continue=" + encoded(token));
    }

    /** What happens after this version. */
    String watch(String version, long seconds) {
        return "%swatch=true&allowWatchBookmarks=true&timeoutSeconds=%d&resourceVersion=%s"
                .formatted(path(), seconds, encoded(version));
    }

    private String path() {
        return root + scope + "/" + plural + (fields.isEmpty() ? "?" : "?fieldSelector=" + encoded(fields) + "&");
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
