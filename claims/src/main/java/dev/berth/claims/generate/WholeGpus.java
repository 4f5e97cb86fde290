package dev.berth.claims.generate;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.api.Group;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The GPUs of a simulated node as one pool that gives them out whole or by their memory, and classes to ask for them.
 */
public final class WholeGpus {
    /** A model, and what NVIDIA's machines with it are like. */
    public enum Model {
        A100(true),
        H100(true),
        L4(false),
        T4(false);

        private final boolean linked;

        Model(boolean linked) {
            this.linked = linked;
        }

        private GpuModel gpu() {
            return switch (this) {
                case A100 -> GpuModel.A100;
                case H100 -> GpuModel.H100;
                case L4 -> GpuModel.L4;
                case T4 -> GpuModel.T4;
            };
        }

        /** As pools and classes call it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private WholeGpus() {}

    /** The pool of a node, with the same UUIDs for the same seed. */
    public static DevicePool pool(String node, Model model, int gpus, long seed) {
        return new GpuPool(node, model.label(), model.gpu().uncut(), gpus, seed, true, model.linked)
                .pools()
                .getFirst();
    }

    /** One class for any of these GPUs, and one for each model. */
    public static List<ObjectNode> classes(List<Model> models) {
        var any = deviceClass("nvidia-gpu", "");
        return Stream.concat(
                        Stream.of(any),
                        models.stream()
                                .map(model -> deviceClass(
                                        "nvidia-" + model.label(), "device.model == '%s'".formatted(model.label()))))
                .toList();
    }

    private static ObjectNode deviceClass(String name, String constraints) {
        var json = JsonNodeFactory.instance.objectNode();
        json.put("apiVersion", Group.API_VERSION).put("kind", "DeviceClass");
        json.putObject("metadata").put("name", name);
        var definition = json.putObject("spec").putObject("definition").put("driver", GpuPool.DRIVER);
        if (!constraints.isEmpty()) {
            definition.put("constraints", constraints);
        }
        return json;
    }
}
