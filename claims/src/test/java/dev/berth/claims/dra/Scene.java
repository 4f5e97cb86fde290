package dev.berth.claims.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.dra.Parts.ClaimPart;
import dev.berth.claims.dra.Parts.DevicePart;
import dev.berth.claims.dra.Parts.RequestPart;
import dev.berth.claims.dra.Parts.SlicePart;
import dev.berth.claims.file.FileSchedule;
import dev.berth.claims.manifest.Manifest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.core.policy.Listed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One case: what there is, what a pod claims, and what must come of it. */
final class Scene {
    private final String what;
    private final List<ObjectNode> objects = new ArrayList<>();
    private final List<String> claims = new ArrayList<>();
    private final List<String> nodes = new ArrayList<>();
    private Consumer<Scene> check = _ -> {};

    Scene(String what) {
        this.what = what;
        deviceClass("any");
    }

    Scene deviceClass(String name, String... selectors) {
        var json = Parts.object().put("apiVersion", "resource.k8s.io/v1").put("kind", "DeviceClass");
        json.putObject("metadata").put("name", name);
        var spec = json.putObject("spec");
        for (var selector : selectors) {
            spec.withArray("/selectors").addObject().putObject("cel").put("expression", selector);
        }
        objects.add(json);
        return this;
    }

    Scene classConfig(String name, String value) {
        for (var object : objects) {
            if (object.path("kind").asText().equals("DeviceClass")
                    && object.path("metadata").path("name").asText().equals(name)) {
                var opaque = object.withArray("/spec/config").addObject().putObject("opaque");
                opaque.put("driver", Parts.DRIVER).putObject("parameters").put("value", value);
            }
        }
        return this;
    }

    Scene node(String name) {
        return labelled(name);
    }

    /** A node with a label. */
    Scene node(String name, String label, String value) {
        return labelled(name, label, value);
    }

    private Scene labelled(String name, String... labels) {
        nodes.add(name);
        var json = Parts.object().put("apiVersion", "v1").put("kind", "Node");
        var metadata = json.putObject("metadata").put("name", name);
        for (int index = 0; index < labels.length; index += 2) {
            metadata.withObject("/labels").put(labels[index], labels[index + 1]);
        }
        objects.add(json);
        return this;
    }

    /** A node with one pool of its own, which has its name. */
    Scene node(String name, DevicePart... devices) {
        return labelled(name).slice(new SlicePart("slice-" + name, name, devices).on(name));
    }

    Scene slice(SlicePart slice) {
        objects.add(slice.json());
        return this;
    }

    Scene rule(String pool, String device, String key, String effect) {
        var json = Parts.object().put("apiVersion", "resource.k8s.io/v1beta2").put("kind", "DeviceTaintRule");
        json.putObject("metadata").put("name", "rule-" + objects.size());
        var selector = json.putObject("spec").putObject("deviceSelector").put("driver", Parts.DRIVER);
        if (!pool.isEmpty()) {
            selector.put("pool", pool);
        }
        if (!device.isEmpty()) {
            selector.put("device", device);
        }
        ((ObjectNode) json.path("spec")).putObject("taint").put("key", key).put("effect", effect);
        objects.add(json);
        return this;
    }

    Scene namespace(String name, String... labels) {
        var json = Parts.object().put("apiVersion", "v1").put("kind", "Namespace");
        var metadata = json.putObject("metadata").put("name", name);
        for (int index = 0; index < labels.length; index += 2) {
            metadata.withObject("/labels").put(labels[index], labels[index + 1]);
        }
        objects.add(json);
        return this;
    }

    /** A claim of the pod. */
    Scene claim(RequestPart... requests) {
        return claim(new ClaimPart("c" + claims.size(), requests));
    }

    Scene claim(ClaimPart claim) {
        claims.add(claim.json().path("metadata").path("name").asText());
        objects.add(claim.json());
        return this;
    }

    /** A claim of somebody else. */
    Scene other(ClaimPart claim) {
        objects.add(claim.json());
        return this;
    }

    /** The devices that the pod's claims get, as {@code request=pool/device}, in order; {@code *} before an admin's. */
    Scene gives(String... devices) {
        check = scene -> {
            var result = scene.run();
            assertThat(result.outcomes().getFirst()).isInstanceOf(FileSchedule.Placed.class);
            assertThat(scene.devices(result)).as("devices").containsExactly(devices);
        };
        return this;
    }

    /** The same, and more about the first claim's allocation. */
    Scene gives(Consumer<JsonNode> allocation, String... devices) {
        gives(devices);
        var before = check;
        check = scene -> {
            before.accept(scene);
            allocation.accept(allocationOf(scene.run(), scene.claims.getFirst()));
        };
        return this;
    }

    Scene goesTo(String node, String... devices) {
        gives(devices);
        var before = check;
        check = scene -> {
            before.accept(scene);
            assertThat(((FileSchedule.Placed) scene.run().outcomes().getFirst()).node())
                    .isEqualTo(node);
        };
        return this;
    }

    /** The pod waits; the reason has these words in it. */
    Scene refuses(String... words) {
        check = scene -> {
            var outcome = scene.run().outcomes().getFirst();
            assertThat(outcome).isInstanceOf(FileSchedule.NotPlaced.class);
            assertThat(outcome.words()).contains(words);
        };
        return this;
    }

    /** The input itself is refused. */
    Scene isMalformed(String... words) {
        check = scene -> assertThatThrownBy(scene::run)
                .isInstanceOf(ManifestException.class)
                .message()
                .contains(words);
        return this;
    }

    void check() {
        check.accept(this);
    }

    /** All objects of the case, with the pod that uses the claims. */
    List<ObjectNode> objects() {
        var all = new ArrayList<>(objects);
        var pod = Parts.object().put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata").put("name", "pod").put("namespace", "default").put("uid", "uid-pod");
        var spec = pod.putObject("spec");
        spec.putArray("containers").addObject().put("name", "main").put("image", "none");
        for (var claim : claims) {
            spec.withArray("/resourceClaims").addObject().put("name", claim).put("resourceClaimName", claim);
        }
        all.add(pod);
        return all;
    }

    private FileSchedule.Result run() {
        var manifests = objects().stream()
                .map(object -> Manifest.of(what, object.deepCopy()))
                .toList();
        return FileSchedule.run(manifests, List.of(), new Listed());
    }

    private List<String> devices(FileSchedule.Result result) {
        var devices = new ArrayList<String>();
        for (var claim : claims) {
            for (var each : allocationOf(result, claim).at("/devices/results")) {
                devices.add("%s%s=%s/%s"
                        .formatted(
                                each.path("adminAccess").asBoolean() ? "*" : "",
                                each.path("request").asText(),
                                each.path("pool").asText(),
                                each.path("device").asText()));
            }
        }
        return devices;
    }

    static JsonNode allocationOf(FileSchedule.Result result, String claim) {
        return result.written().stream()
                .filter(object -> object.path("kind").asText().equals("ResourceClaim")
                        && object.path("metadata").path("name").asText().equals(claim))
                .findFirst()
                .orElseThrow()
                .at("/status/allocation");
    }

    @Override
    public String toString() {
        return what;
    }
}
