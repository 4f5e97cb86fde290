package dev.berth.claims.dra;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Short words for the objects that cases are made of. */
final class Parts {
    static final String DRIVER = "dra.example.com";

    private Parts() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static DevicePart device(String name) {
        return new DevicePart(name);
    }

    /** So many devices, numbered from zero. */
    static DevicePart[] devices(String prefix, int count) {
        var all = new DevicePart[count];
        for (int index = 0; index < count; index++) {
            all[index] = device(prefix + index);
        }
        return all;
    }

    static RequestPart request(String name) {
        return new RequestPart(name);
    }

    /** A request that is met by the first of these that can be had. */
    static RequestPart firstOf(String name, RequestPart... subs) {
        return new RequestPart(name, List.of(subs));
    }

    /** A device of a slice. */
    static final class DevicePart {
        private final ObjectNode json = object();

        DevicePart(String name) {
            json.put("name", name);
        }

        DevicePart text(String name, String value) {
            json.withObject("/attributes").putObject(name).put("string", value);
            return this;
        }

        DevicePart number(String name, long value) {
            json.withObject("/attributes").putObject(name).put("int", value);
            return this;
        }

        DevicePart flag(String name, boolean value) {
            json.withObject("/attributes").putObject(name).put("bool", value);
            return this;
        }

        DevicePart version(String name, String value) {
            json.withObject("/attributes").putObject(name).put("version", value);
            return this;
        }

        DevicePart texts(String name, String... values) {
            var list = json.withObject("/attributes").putObject(name).putArray("strings");
            List.of(values).forEach(list::add);
            return this;
        }

        DevicePart numbers(String name, long... values) {
            var list = json.withObject("/attributes").putObject(name).putArray("ints");
            for (long value : values) {
                list.add(value);
            }
            return this;
        }

        DevicePart capacity(String name, String value) {
            json.withObject("/capacity").putObject(name).put("value", value);
            return this;
        }

        /** The last capacity's policy: what is taken by those who do not say. */
        DevicePart fallback(String name, String value) {
            policy(name).put("default", value);
            return this;
        }

        DevicePart oneOf(String name, String... values) {
            var list = policy(name).putArray("validValues");
            List.of(values).forEach(list::add);
            return this;
        }

        DevicePart range(String name, String min, String max, String step) {
            var range = policy(name).putObject("validRange");
            range.put("min", min);
            if (!max.isEmpty()) {
                range.put("max", max);
            }
            if (!step.isEmpty()) {
                range.put("step", step);
            }
            return this;
        }

        private ObjectNode policy(String name) {
            return ((ObjectNode) json.path("capacity").path(name)).withObject("/requestPolicy");
        }

        DevicePart shared() {
            json.put("allowMultipleAllocations", true);
            return this;
        }

        DevicePart draws(String set, String counter, String value) {
            var list = json.withArray("/consumesCounters");
            for (var known : list) {
                if (known.path("counterSet").asText().equals(set)) {
                    ((ObjectNode) known.path("counters")).putObject(counter).put("value", value);
                    return this;
                }
            }
            var consumption = list.addObject().put("counterSet", set);
            consumption.putObject("counters").putObject(counter).put("value", value);
            return this;
        }

        DevicePart taint(String key, String value, String effect) {
            json.withArray("/taints")
                    .addObject()
                    .put("key", key)
                    .put("value", value)
                    .put("effect", effect);
            return this;
        }

        DevicePart binding(String condition, String failure) {
            json.putArray("bindingConditions").add(condition);
            json.putArray("bindingFailureConditions").add(failure);
            return this;
        }

        DevicePart bindsToNode() {
            json.put("bindsToNode", true);
            return this;
        }

        DevicePart on(String node) {
            json.put("nodeName", node);
            return this;
        }

        DevicePart everywhere() {
            json.put("allNodes", true);
            return this;
        }

        DevicePart where(String label, String value) {
            json.set("nodeSelector", selector(label, value));
            return this;
        }

        ObjectNode json() {
            return json;
        }
    }

    static ObjectNode selector(String label, String value) {
        var selector = object();
        var rule = selector.putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchExpressions")
                .addObject();
        rule.put("key", label).put("operator", "In").putArray("values").add(value);
        return selector;
    }

    /** A slice. */
    static final class SlicePart {
        private final ObjectNode json = object();
        private final ObjectNode spec;

        SlicePart(String name, String pool, DevicePart... devices) {
            json.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceSlice");
            json.putObject("metadata").put("name", name);
            spec = json.putObject("spec").put("driver", DRIVER);
            spec.putObject("pool").put("name", pool).put("generation", 1).put("resourceSliceCount", 1);
            if (devices.length > 0) {
                var list = spec.putArray("devices");
                List.of(devices).forEach(device -> list.add(device.json()));
            }
        }

        SlicePart driver(String name) {
            spec.put("driver", name);
            return this;
        }

        SlicePart generation(int number) {
            ((ObjectNode) spec.path("pool")).put("generation", number);
            return this;
        }

        /** One of so many. */
        SlicePart of(int count) {
            ((ObjectNode) spec.path("pool")).put("resourceSliceCount", count);
            return this;
        }

        SlicePart on(String node) {
            spec.put("nodeName", node);
            return this;
        }

        SlicePart everywhere() {
            spec.put("allNodes", true);
            return this;
        }

        SlicePart where(String label, String value) {
            spec.set("nodeSelector", selector(label, value));
            return this;
        }

        SlicePart perDevice() {
            spec.put("perDeviceNodeSelection", true);
            return this;
        }

        SlicePart counter(String set, String counter, String value) {
            var sets = spec.withArray("/sharedCounters");
            for (var known : sets) {
                if (known.path("name").asText().equals(set)) {
                    ((ObjectNode) known.path("counters")).putObject(counter).put("value", value);
                    return this;
                }
            }
            var added = sets.addObject().put("name", set);
            added.putObject("counters").putObject(counter).put("value", value);
            return this;
        }

        ObjectNode json() {
            return json;
        }
    }

    /** A request of a claim, or a sub-request of one. */
    static final class RequestPart {
        private final String name;
        private final ObjectNode body = object();
        private final List<RequestPart> subs;

        RequestPart(String name) {
            this(name, List.of());
        }

        RequestPart(String name, List<RequestPart> subs) {
            this.name = name;
            this.subs = subs;
            body.put("deviceClassName", "any")
                    .put("allocationMode", "ExactCount")
                    .put("count", 1);
        }

        RequestPart of(String className) {
            body.put("deviceClassName", className);
            return this;
        }

        RequestPart count(int devices) {
            body.put("count", devices);
            return this;
        }

        RequestPart all() {
            body.put("allocationMode", "All");
            body.remove("count");
            return this;
        }

        RequestPart mode(String mode) {
            body.put("allocationMode", mode);
            return this;
        }

        RequestPart where(String expression) {
            body.withArray("/selectors").addObject().putObject("cel").put("expression", expression);
            return this;
        }

        RequestPart admin() {
            body.put("adminAccess", true);
            return this;
        }

        RequestPart tolerating(String key, String operator, String value, String effect) {
            var toleration = body.withArray("/tolerations").addObject();
            if (!key.isEmpty()) {
                toleration.put("key", key);
            }
            toleration.put("operator", operator);
            if (!value.isEmpty()) {
                toleration.put("value", value);
            }
            if (!effect.isEmpty()) {
                toleration.put("effect", effect);
            }
            return this;
        }

        RequestPart wanting(String capacity, String amount) {
            body.withObject("/capacity").withObject("/requests").put(capacity, amount);
            return this;
        }

        void addTo(ArrayNode requests) {
            var request = requests.addObject().put("name", name);
            if (subs.isEmpty()) {
                request.set("exactly", body);
                return;
            }
            var list = request.putArray("firstAvailable");
            subs.forEach(sub -> {
                var one = list.addObject().put("name", sub.name);
                one.setAll(sub.body);
            });
        }
    }

    /** A claim. */
    static final class ClaimPart {
        private final ObjectNode json = object();
        private final ObjectNode devices;

        ClaimPart(String name, RequestPart... requests) {
            json.put("apiVersion", "resource.k8s.io/v1").put("kind", "ResourceClaim");
            json.putObject("metadata")
                    .put("name", name)
                    .put("namespace", "default")
                    .put("uid", "uid-" + name);
            devices = json.putObject("spec").putObject("devices");
            var list = devices.putArray("requests");
            List.of(requests).forEach(request -> request.addTo(list));
        }

        ClaimPart same(String attribute, String... requests) {
            return constraint("matchAttribute", attribute, requests);
        }

        ClaimPart distinct(String attribute, String... requests) {
            return constraint("distinctAttribute", attribute, requests);
        }

        private ClaimPart constraint(String kind, String attribute, String... requests) {
            var constraint = devices.withArray("/constraints").addObject();
            if (requests.length > 0) {
                var list = constraint.putArray("requests");
                List.of(requests).forEach(list::add);
            }
            constraint.put(kind, attribute);
            return this;
        }

        ClaimPart config(String value, String... requests) {
            var config = devices.withArray("/config").addObject();
            if (requests.length > 0) {
                var list = config.putArray("requests");
                List.of(requests).forEach(list::add);
            }
            config.putObject("opaque")
                    .put("driver", DRIVER)
                    .putObject("parameters")
                    .put("value", value);
            return this;
        }

        /** The claim has this device already. */
        ClaimPart holding(String request, String pool, String device) {
            result(request, pool, device);
            return this;
        }

        /** The claim has a share of this device already. */
        ClaimPart holdingShare(String request, String pool, String device, String capacity, String amount) {
            var result = result(request, pool, device);
            result.put(
                    "shareID", "00000000-0000-4000-8000-00000000000" + results().size());
            result.putObject("consumedCapacity").put(capacity, amount);
            return this;
        }

        ClaimPart lookingAfter(String request, String pool, String device) {
            result(request, pool, device).put("adminAccess", true);
            return this;
        }

        private ArrayNode results() {
            return json.withArray("/status/allocation/devices/results");
        }

        private ObjectNode result(String request, String pool, String device) {
            return results()
                    .addObject()
                    .put("request", request)
                    .put("driver", DRIVER)
                    .put("pool", pool)
                    .put("device", device);
        }

        /** The devices that it has are in this node. */
        ClaimPart only(String node) {
            var term = json.withArray("/status/allocation/nodeSelector/nodeSelectorTerms")
                    .addObject();
            var rule = term.putArray("matchFields").addObject();
            rule.put("key", "metadata.name")
                    .put("operator", "In")
                    .putArray("values")
                    .add(node);
            return this;
        }

        ObjectNode json() {
            return json;
        }
    }

    static List<String> names(List<ObjectNode> objects) {
        var names = new ArrayList<String>();
        objects.forEach(object -> names.add(object.path("metadata").path("name").asText()));
        return names;
    }
}
