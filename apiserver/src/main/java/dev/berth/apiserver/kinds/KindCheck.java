package dev.berth.apiserver.kinds;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.status.ApiException;

/** Whether a body is of the kind that its address takes; what it does not say of itself is filled in. */
final class KindCheck {
    private KindCheck() {}

    static void check(
            ObjectNode object, String apiVersion, String kind, byte[] body, boolean custom, LiveCatalog catalog) {
        String foundVersion = object.path("apiVersion").asText();
        String foundKind = object.path("kind").asText();
        if (custom && foundKind.isEmpty()) throw Malformed.noKind(kind, body);
        String saidVersion = foundVersion.isEmpty() ? apiVersion : foundVersion;
        String saidKind = foundKind.isEmpty() ? kind : foundKind;
        if (saidVersion.equals(apiVersion) && saidKind.equals(kind)) {
            if (foundVersion.isEmpty()) object.put("apiVersion", apiVersion);
            if (foundKind.isEmpty()) object.put("kind", kind);
            return;
        }
        // A custom object of another kind goes on, and its rules refuse it with a 422.
        if (custom && saidVersion.equals(apiVersion)) return;
        if (custom
                || (saidKind.equals(kind)
                        && catalog.byKind(saidVersion, saidKind).isPresent())) {
            throw ApiException.badRequest(
                    "the API version in the data (%s) does not match the expected API version (%s)"
                            .formatted(saidVersion, apiVersion));
        }
        throw cannotBeHandled(saidVersion, saidKind, apiVersion, kind, catalog);
    }

    private static ApiException cannotBeHandled(
            String saidVersion, String saidKind, String apiVersion, String kind, LiveCatalog catalog) {
        String version = saidVersion.substring(saidVersion.indexOf('/') + 1);
        String why = whyNot(saidVersion, saidKind, apiVersion, kind, catalog);
        return ApiException.badRequest(
                "%s in version \"%s\" cannot be handled as a %s: %s".formatted(saidKind, version, kind, why));
    }

    /** Why an object of one kind cannot be read as another. */
    static String whyNot(String saidVersion, String saidKind, String apiVersion, String kind, LiveCatalog catalog) {
        String version = saidVersion.substring(saidVersion.indexOf('/') + 1);
        return catalog.byKind(saidVersion, saidKind).isPresent()
                ? "converting (%s.%s) to (%s.%s): unknown conversion"
                        .formatted(version, saidKind, goPackage(apiVersion), kind)
                : "no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/runtime/scheme.go:111\""
                        .formatted(saidKind, saidVersion);
    }

    private static String goPackage(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        if (slash < 0) return "core";
        int dot = apiVersion.indexOf('.');
        return apiVersion.substring(0, dot < 0 || dot > slash ? slash : dot);
    }
}
