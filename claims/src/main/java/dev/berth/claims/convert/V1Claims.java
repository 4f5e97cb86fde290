package dev.berth.claims.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.ConfigReference;
import dev.berth.claims.api.Detail;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DeviceClass;
import dev.berth.claims.api.DeviceClass.Definition;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.api.PodClaims;
import dev.berth.claims.api.Quantities;
import dev.berth.claims.manifest.Manifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Classes, claims and pods of {@code resource.k8s.io/v1}. */
final class V1Claims {
    private static final String POD_CLAIM = "devices";

    private final V1Conversion world;

    /** The requests that each entry of a claim became, by the claim's namespace and name. */
    private final Map<String, Map<String, List<String>>> requests = new TreeMap<>();

    V1Claims(V1Conversion world) {
        this.world = world;
    }

    ObjectNode deviceClass(DeviceClass each) throws NoWordException {
        var json = object("DeviceClass", each.metadata().all());
        var spec = json.putObject("spec");
        List<String> choices = new ArrayList<>();
        for (Definition definition : definitions(each)) {
            for (String driver : drivers(definition)) {
                choices.add(selector(driver, definition.constraints()));
            }
        }
        if (choices.isEmpty()) {
            throw new NoWordException("no driver of it is known");
        }
        String expression = choices.size() == 1 ? choices.getFirst() : "(" + String.join(") || (", choices) + ")";
        spec.putArray("selectors").addObject().putObject("cel").put("expression", expression);
        if (each.spec() instanceof Definition definition) {
            for (ConfigReference config : definition.configs()) {
                config(
                        spec.withArrayProperty("config"),
                        config,
                        config.namespace().orElse(""),
                        drivers(definition));
            }
        }
        return json;
    }

    private List<Definition> definitions(DeviceClass each) {
        return switch (each.spec()) {
            case Definition definition -> List.of(definition);
            case DeviceClass.Selecting(var selector) -> {
                List<Definition> selected = new ArrayList<>();
                for (DeviceClass other : world.classes().values()) {
                    if (other.spec() instanceof Definition definition
                            && selector.matches(other.metadata().labels())) {
                        selected.add(definition);
                    }
                }
                yield selected;
            }
        };
    }

    private Set<String> drivers(Definition definition) {
        Set<String> drivers = new TreeSet<>();
        definition.driver().ifPresent(drivers::add);
        definition
                .deviceType()
                .ifPresent(type -> world.drivers().values().stream()
                        .filter(driver -> driver.deviceTypes().contains(type))
                        .forEach(driver -> drivers.add(driver.name())));
        return drivers;
    }

    private String selector(String driver, Optional<String> constraints) throws NoWordException {
        String ofDriver = "device.driver == " + V1Selector.quoted(V1Names.driver(driver));
        return constraints.isEmpty()
                ? ofDriver
                : ofDriver + " && " + new V1Selector(driver, world.attributes(driver)).of(constraints.get());
    }

    private void config(ArrayNode array, ConfigReference reference, String namespace, Set<String> drivers)
            throws NoWordException {
        JsonNode parameters = world.config(reference, namespace)
                .orElseThrow(() -> new NoWordException(
                        "settings are inline there, and %s is not among the input".formatted(reference)));
        for (String driver : drivers) {
            array.addObject()
                    .putObject("opaque")
                    .put("driver", V1Names.driver(driver))
                    .set("parameters", parameters);
        }
    }

    ObjectNode claim(DeviceClaim claim, boolean template) throws NoWordException {
        var json = object(
                template ? "ResourceClaimTemplate" : "ResourceClaim",
                claim.metadata().all());
        var spec = template ? json.putObject("spec").putObject("spec") : json.putObject("spec");
        devices(spec.putObject("devices"), claim);
        return json;
    }

    private void devices(ObjectNode devices, DeviceClaim claim) throws NoWordException {
        var array = devices.putArray("requests");
        Map<String, List<String>> names = new LinkedHashMap<>();
        Set<String> claimDrivers = new TreeSet<>();
        for (DeviceClaim.Instance instance : claim.spec().devices()) {
            boolean alone = instance.allOf().size() + (instance.oneOf().isEmpty() ? 0 : 1) == 1;
            List<String> ofInstance = new ArrayList<>();
            names.put(instance.name(), ofInstance);
            int number = 1;
            for (Detail detail : instance.allOf()) {
                String name = V1Names.label(instance.name()) + (alone ? "" : "-" + number++);
                ofInstance.add(name);
                exact(array.addObject().put("name", name).putObject("exactly"), detail);
                constrain(devices, name, detail, claim, claimDrivers);
            }
            if (!instance.oneOf().isEmpty()) {
                String name = V1Names.label(instance.name()) + (alone ? "" : "-" + number);
                ofInstance.add(name);
                var options = array.addObject().put("name", name).putArray("firstAvailable");
                for (int i = 0; i < instance.oneOf().size(); i++) {
                    Detail detail = instance.oneOf().get(i);
                    String option = "option-" + (i + 1);
                    exact(options.addObject().put("name", option), detail);
                    constrain(devices, name + "/" + option, detail, claim, claimDrivers);
                }
            }
        }
        for (String attribute : claim.spec().matchAttributes()) {
            devices.withArrayProperty("constraints").addObject().put("matchAttribute", name(attribute, claimDrivers));
        }
        for (String attribute : claim.spec().distinctAttributes()) {
            devices.withArrayProperty("constraints")
                    .addObject()
                    .put("distinctAttribute", name(attribute, claimDrivers));
        }
        requests.put(claim.metadata().full(), names);
    }

    private void exact(ObjectNode request, Detail detail) throws NoWordException {
        String className = detail.deviceClass()
                .orElseThrow(() -> new NoWordException("a request needs a class there, not only a driver"));
        request.put("deviceClassName", className);
        if (detail.constraints().isPresent()) {
            List<String> choices = new ArrayList<>();
            for (String driver : drivers(detail)) {
                choices.add(selector(driver, detail.constraints()));
            }
            if (choices.isEmpty()) {
                throw new NoWordException("no driver of the class %s is known".formatted(className));
            }
            String expression = choices.size() == 1 ? choices.getFirst() : "(" + String.join(") || (", choices) + ")";
            request.putArray("selectors").addObject().putObject("cel").put("expression", expression);
        }
        int count = detail.count().orElse(1);
        if (detail.adminAccess()) {
            request.put("allocationMode", "All").put("adminAccess", true);
            return;
        }
        int most = detail.maxDevices().orElse(count);
        if (most > 1 && !detail.amounts().isEmpty()) {
            throw new NoWordException("requests over several devices together");
        }
        request.put("allocationMode", "ExactCount").put("count", count);
        if (!detail.amounts().isEmpty()) {
            var amounts = request.putObject("capacity").putObject("requests");
            detail.amounts().forEach((name, amount) -> amounts.put(V1Names.identifier(name), Quantities.text(amount)));
        }
    }

    private Set<String> drivers(Detail detail) {
        Set<String> drivers = new TreeSet<>();
        detail.deviceClass()
                .map(name -> world.classes().get(name))
                .ifPresent(each -> definitions(each).forEach(definition -> drivers.addAll(drivers(definition))));
        detail.driver().ifPresent(drivers::add);
        return drivers;
    }

    private void constrain(
            ObjectNode devices, String request, Detail detail, DeviceClaim claim, Set<String> claimDrivers)
            throws NoWordException {
        Set<String> drivers = drivers(detail);
        claimDrivers.addAll(drivers);
        for (String attribute : detail.matchAttributes()) {
            var constraint = devices.withArrayProperty("constraints").addObject();
            constraint
                    .put("matchAttribute", name(attribute, drivers))
                    .putArray("requests")
                    .add(request);
        }
        for (String attribute : detail.distinctAttributes()) {
            var constraint = devices.withArrayProperty("constraints").addObject();
            constraint
                    .put("distinctAttribute", name(attribute, drivers))
                    .putArray("requests")
                    .add(request);
        }
        for (ConfigReference config : detail.configs()) {
            var array = JsonNodeFactory.instance.arrayNode();
            config(array, config, claim.metadata().namespace(), drivers);
            for (JsonNode each : array) {
                ((ObjectNode) each).putArray("requests").add(request);
                devices.withArrayProperty("config").add(each);
            }
        }
    }

    private static String name(String attribute, Set<String> drivers) throws NoWordException {
        Set<String> names = new TreeSet<>();
        drivers.forEach(driver -> names.add(V1Names.attribute(driver, attribute).full()));
        if (names.size() != 1) {
            throw new NoWordException("the attribute %s is another one for each driver there (%s)"
                    .formatted(attribute, String.join(", ", names)));
        }
        return names.iterator().next();
    }

    /** A class of its own for the driver, since a request needs one. */
    List<ObjectNode> privileged(DevicePrivilegedClaim claim) throws NoWordException {
        String className = "privileged-" + claim.metadata().name();
        var all = JsonNodeFactory.instance.objectNode().put("name", className);
        var deviceClass = object("DeviceClass", all);
        deviceClass
                .putObject("spec")
                .putArray("selectors")
                .addObject()
                .putObject("cel")
                .put("expression", selector(claim.driver(), claim.constraints()));
        var json = object("ResourceClaim", claim.metadata().all());
        json.putObject("spec")
                .putObject("devices")
                .putArray("requests")
                .addObject()
                .put("name", DevicePrivilegedClaim.INSTANCE)
                .putObject("exactly")
                .put("deviceClassName", className)
                .put("allocationMode", "All")
                .put("adminAccess", true);
        requests.put(
                claim.metadata().full(),
                Map.of(DevicePrivilegedClaim.INSTANCE, List.of(DevicePrivilegedClaim.INSTANCE)));
        world.note(
                "DevicePrivilegedClaim %s: admin access needs the label resource.kubernetes.io/admin-access: \"true\" on the namespace %s"
                        .formatted(claim.metadata().full(), claim.metadata().namespace()));
        return List.of(deviceClass, json);
    }

    /** The pod, and a template for each class that it names by itself. */
    List<ObjectNode> pod(Manifest manifest) throws NoWordException {
        Optional<PodClaims> claims = PodClaims.read(manifest);
        if (claims.isEmpty()) {
            return List.of(manifest.body());
        }
        ObjectNode metadata = (ObjectNode) manifest.body().path("metadata");
        String namespace = metadata.path("namespace").asText("default");
        List<ObjectNode> objects = new ArrayList<>();
        ObjectNode pod = PodForm.stripped(manifest.body());
        ArrayNode podClaims = pod.withObjectProperty("spec").putArray("resourceClaims");
        Map<String, List<JsonNode>> uses = new TreeMap<>();
        switch (claims.get().source()) {
            case PodClaims.Direct(var entries) -> {
                for (var entry : entries) {
                    String name = V1Names.label(entry.name());
                    String template = metadata.path("name").asText() + "-" + name;
                    objects.add(template(namespace, template, name, entry.deviceClass()));
                    podClaims.addObject().put("name", name).put("resourceClaimTemplateName", template);
                    uses.put(entry.name(), List.of(use(name, name)));
                }
            }
            case PodClaims.Shared(var name) -> {
                podClaims.addObject().put("name", POD_CLAIM).put("resourceClaimName", name);
                uses.putAll(uses(namespace + "/" + name));
            }
            case PodClaims.Template template -> {
                podClaims.addObject().put("name", POD_CLAIM).put("resourceClaimTemplateName", template.claimName());
                uses.putAll(uses(namespace + "/" + template.claimName()));
            }
        }
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : pod.path("spec").path(list)) {
                Set<String> used = claims.get()
                        .containers()
                        .getOrDefault(container.path("name").asText(), Set.of());
                for (String name : used) {
                    for (JsonNode use : uses.getOrDefault(name, List.of())) {
                        ((ObjectNode) container)
                                .withObjectProperty("resources")
                                .withArrayProperty("claims")
                                .add(use);
                    }
                }
            }
        }
        objects.add(pod);
        return objects;
    }

    private Map<String, List<JsonNode>> uses(String claim) throws NoWordException {
        Map<String, List<String>> names = requests.get(claim);
        if (names == null) {
            throw new NoWordException("its claim %s is not among what could be written".formatted(claim));
        }
        Map<String, List<JsonNode>> uses = new TreeMap<>();
        names.forEach((instance, each) -> uses.put(
                instance,
                each.stream().<JsonNode>map(request -> use(POD_CLAIM, request)).toList()));
        return uses;
    }

    private static ObjectNode use(String claim, String request) {
        return JsonNodeFactory.instance.objectNode().put("name", claim).put("request", request);
    }

    private static ObjectNode template(String namespace, String name, String request, String deviceClass) {
        var metadata = JsonNodeFactory.instance.objectNode().put("name", name).put("namespace", namespace);
        var json = object("ResourceClaimTemplate", metadata);
        json.putObject("spec")
                .putObject("spec")
                .putObject("devices")
                .putArray("requests")
                .addObject()
                .put("name", request)
                .putObject("exactly")
                .put("deviceClassName", deviceClass);
        return json;
    }

    private static ObjectNode object(String kind, ObjectNode metadata) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", V1Conversion.API_VERSION).put("kind", kind);
        json.set("metadata", metadata.deepCopy());
        return json;
    }
}
