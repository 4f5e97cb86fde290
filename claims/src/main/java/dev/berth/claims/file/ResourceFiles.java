package dev.berth.claims.file;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.TaintRule;
import dev.berth.claims.manifest.Field;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
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

    /** @throws ManifestException if the object cannot be understood */
    void add(Manifest manifest) {
        if (manifest.kind().equals(TaintRule.KIND)) {
            ResourceChecks.check(manifest);
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
                classes.put(read.getMetadata().getName(), read);
            }
            case "ResourceSlice" -> {
                var read = read(manifest, ResourceSlice.class);
                slices.put(read.getMetadata().getName(), read);
            }
            case "ResourceClaim" -> {
                var read = read(manifest, ResourceClaim.class);
                read.getMetadata().setNamespace(namespace(read));
                claims.put(key(read), read);
            }
            case "ResourceClaimTemplate" -> {
                var read = read(manifest, ResourceClaimTemplate.class);
                templates.put(key(read), read);
            }
            default ->
                throw manifest.problem("kind: %s is none of %s's; there are DeviceClass, ResourceSlice, ResourceClaim, "
                                .formatted(manifest.kind(), API_VERSION)
                        + "ResourceClaimTemplate and DeviceTaintRule");
        }
    }

    private static <T extends HasMetadata> T read(Manifest manifest, Class<T> type) {
        ResourceChecks.check(manifest);
        try {
            return MAPPER.convertValue(manifest.body(), type);
        } catch (IllegalArgumentException malformed) {
            throw switch (malformed.getCause()) {
                case UnrecognizedPropertyException unknown -> problem(manifest, unknown, "there is no such field");
                case JsonMappingException unfit -> problem(manifest, unfit, refused(manifest, unfit));
                case null, default -> manifest.problem(refused(manifest, malformed));
            };
        }
    }

    private static String refused(Manifest manifest, Exception why) {
        return "is not a %s that a server would take: %s"
                .formatted(
                        manifest.kind(),
                        String.valueOf(why.getMessage()).lines().findFirst().orElse(""));
    }

    /** With the field and its line, where the model says at which it stopped. */
    private static ManifestException problem(Manifest manifest, JsonMappingException where, String what) {
        Optional<Field> field = Optional.empty();
        for (var step : where.getPath()) {
            String name = step.getFieldName();
            if (field.isEmpty()) {
                field = manifest.fields().find(String.valueOf(name));
            } else if (name != null && field.get().isObject()) {
                field = field.get().fields().find(name);
            } else if (field.get().isList()) {
                field = field.get().items().stream().skip(step.getIndex()).findFirst();
            }
            if (field.isEmpty()) {
                return manifest.problem(what);
            }
        }
        return field.map(found -> found.problem(what)).orElseGet(() -> manifest.problem(what));
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
