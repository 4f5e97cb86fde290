package dev.berth.claims.file;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import dev.berth.claims.dra.cel.InvalidSelectorException;
import dev.berth.claims.dra.cel.Selector;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.TaintRule;
import dev.berth.claims.manifest.Manifest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimSpec;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The objects of {@code resource.k8s.io} in a set of files. Claims change while pods are placed. */
final class ResourceFiles {
    static final String GROUP = "resource.k8s.io/";
    static final String API_VERSION = GROUP + "v1";

    /** Takes no field that the API does not have: one that is misspelt would be lost without a word. */
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .setAnnotationIntrospector(new NoExtras())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Map<String, DeviceClass> classes = new TreeMap<>();
    private final Map<String, ResourceSlice> slices = new TreeMap<>();
    private final Map<String, ResourceClaim> claims = new TreeMap<>();
    private final Map<String, ResourceClaimTemplate> templates = new TreeMap<>();
    private final List<TaintRule> rules = new ArrayList<>();

    private static final class NoExtras extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable Boolean hasAnySetter(Annotated annotated) {
            return Boolean.FALSE;
        }
    }

    /** @throws dev.berth.claims.manifest.ManifestException if the object cannot be understood */
    void add(Manifest manifest) {
        if (manifest.kind().equals(TaintRule.KIND)) {
            rules.add(TaintRule.read(manifest.body()));
            return;
        }
        if (!manifest.apiVersion().equals(API_VERSION)) {
            throw manifest.problem(
                    "apiVersion: %s is not read; write it as %s".formatted(manifest.apiVersion(), API_VERSION));
        }
        switch (manifest.kind()) {
            case "DeviceClass" -> {
                var read = read(manifest, DeviceClass.class);
                check(manifest, Given.list(read.getSpec().getSelectors()));
                classes.put(read.getMetadata().getName(), read);
            }
            case "ResourceSlice" -> {
                var read = read(manifest, ResourceSlice.class);
                manifest.fields().require("spec").fields().require("driver").text();
                manifest.fields()
                        .require("spec")
                        .fields()
                        .require("pool")
                        .fields()
                        .require("name")
                        .text();
                slices.put(read.getMetadata().getName(), read);
            }
            case "ResourceClaim" -> {
                var read = read(manifest, ResourceClaim.class);
                check(manifest, read.getSpec());
                read.getMetadata().setNamespace(namespace(read));
                claims.put(key(read), read);
            }
            case "ResourceClaimTemplate" -> {
                var read = read(manifest, ResourceClaimTemplate.class);
                check(manifest, read.getSpec().getSpec());
                templates.put(key(read), read);
            }
            default ->
                throw manifest.problem("kind: %s is none of %s's; there are DeviceClass, ResourceSlice, ResourceClaim, "
                                .formatted(manifest.kind(), API_VERSION)
                        + "ResourceClaimTemplate and DeviceTaintRule");
        }
    }

    private static <T extends HasMetadata> T read(Manifest manifest, Class<T> type) {
        manifest.fields().require("metadata").fields().require("name").text();
        manifest.fields().require("spec");
        try {
            return MAPPER.convertValue(manifest.body(), type);
        } catch (IllegalArgumentException malformed) {
            if (malformed.getCause() instanceof UnrecognizedPropertyException unknown) {
                throw manifest.problem("%s: there is no such field".formatted(path(unknown)));
            }
            throw manifest.problem("is not a %s that a server would take: %s"
                    .formatted(
                            manifest.kind(),
                            String.valueOf(malformed.getMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("")));
        }
    }

    private static String path(UnrecognizedPropertyException unknown) {
        var path = new StringBuilder();
        unknown.getPath().forEach(step -> {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getFieldName());
            }
        });
        return path.toString();
    }

    private static void check(Manifest manifest, @Nullable ResourceClaimSpec spec) {
        if (spec == null || spec.getDevices() == null) {
            return;
        }
        for (var request : Given.list(spec.getDevices().getRequests())) {
            if (request.getExactly() != null) {
                check(manifest, Given.list(request.getExactly().getSelectors()));
            }
            for (var sub : Given.list(request.getFirstAvailable())) {
                check(manifest, Given.list(sub.getSelectors()));
            }
        }
    }

    private static void check(Manifest manifest, List<DeviceSelector> selectors) {
        for (var selector : selectors) {
            if (selector.getCel() != null) {
                try {
                    Selector.of(Given.text(selector.getCel().getExpression()));
                } catch (InvalidSelectorException invalid) {
                    throw manifest.problem(String.valueOf(invalid.getMessage()));
                }
            }
        }
    }

    static String namespace(HasMetadata object) {
        String namespace = Given.text(object.getMetadata().getNamespace());
        return namespace.isEmpty() ? "default" : namespace;
    }

    private static String key(HasMetadata object) {
        return namespace(object) + "/" + object.getMetadata().getName();
    }

    Optional<DeviceClass> deviceClass(String name) {
        return Optional.ofNullable(classes.get(name));
    }

    Collection<DeviceClass> classes() {
        return classes.values();
    }

    Collection<ResourceSlice> slices() {
        return slices.values();
    }

    List<TaintRule> rules() {
        return rules;
    }

    Collection<ResourceClaim> claims() {
        return claims.values();
    }

    Optional<ResourceClaim> claim(String namespace, String name) {
        return Optional.ofNullable(claims.get(namespace + "/" + name));
    }

    Optional<ResourceClaimTemplate> template(String namespace, String name) {
        return Optional.ofNullable(templates.get(namespace + "/" + name));
    }

    void put(ResourceClaim claim) {
        claims.put(key(claim), claim);
    }
}
