package dev.berth.cli;

import dev.berth.assigner.label.NodeLabels;
import dev.berth.assigner.label.NvidiaSmi;
import dev.berth.assigner.wire.DeviceLabels;
import dev.berth.kube.Cluster;
import dev.berth.kube.KubeFlags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Tells the assigner which GPUs a node has. */
@Command(
        name = "label-node",
        description = "Write down which GPUs a node has and how they are labelled, where the assigner looks for it.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  berth assigner label-node --node n1 --device GPU-1=a100,vram.80g --device GPU-2=a100",
            "  nvidia-smi --query-gpu=index,uuid,name,memory.total --format=csv | berth assigner label-node --node n1 --from-nvidia-smi -"
        })
final class LabelNodeCommand implements Callable<Integer> {
    private static final String PREFIX = "fudo.org/gpu.";

    @Mixin
    private KubeFlags kube = new KubeFlags();

    @Option(names = "--node", required = true, paramLabel = "NAME", description = "The node.")
    private String node = "";

    @Option(
            names = "--device",
            paramLabel = "UUID=LABEL,…",
            description = "A GPU and its labels, once for each; " + PREFIX + " is put before a label that lacks it.")
    private List<String> devices = new ArrayList<>();

    @Option(
            names = "--from-nvidia-smi",
            paramLabel = "FILE|-",
            description =
                    "Take GPUs and labels from what 'nvidia-smi --query-gpu=index,uuid,name,memory.total --format=csv' printed; these are all that the node has. With the index, doors that count GPUs know them too.")
    private @Nullable String nvidiaSmi;

    @Option(names = "--replace", description = "Put these GPUs in place of all that the node had.")
    private boolean replace;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        var seen = seen();
        var wanted = wanted(seen.labels());
        try (var cluster = Cluster.connect(kube.settings())) {
            var written = new NodeLabels(cluster).write(node, wanted, seen.byIndex(), replace || nvidiaSmi != null);
            var out = spec.commandLine().getOut();
            written.byUuid()
                    .forEach((uuid, labels) -> out.println(
                            "%s  %s  %s".formatted(node, uuid, labels.isEmpty() ? "-" : String.join(",", labels))));
            out.flush();
        }
        return 0;
    }

    /** What nvidia-smi printed; nothing where it is not asked. */
    private NvidiaSmi.Gpus seen() {
        try {
            return nvidiaSmi == null ? NvidiaSmi.Gpus.NONE : NvidiaSmi.read(printed(nvidiaSmi));
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private SortedMap<String, SortedSet<String>> wanted(Map<String, SortedSet<String>> seen) {
        var wanted = new TreeMap<>(seen);
        devices.forEach(device -> {
            int equals = device.indexOf('=');
            var uuid = (equals < 0 ? device : device.substring(0, equals)).strip();
            if (!DeviceLabels.isUuid(uuid)) {
                throw new ParameterException(
                        spec.commandLine(), "--device is UUID=label,label, not '%s'".formatted(device));
            }
            var labels = wanted.computeIfAbsent(uuid, _ -> new TreeSet<>());
            for (var label :
                    equals < 0 ? new String[0] : device.substring(equals + 1).split(",")) {
                if (!label.isBlank()) {
                    labels.add(label.contains("/") ? label.strip() : PREFIX + label.strip());
                }
            }
        });
        if (wanted.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "name a GPU with --device, or give --from-nvidia-smi");
        }
        return wanted;
    }

    private String printed(String file) {
        try {
            return file.equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (IOException unreadable) {
            throw new ParameterException(
                    spec.commandLine(), "--from-nvidia-smi: %s cannot be read".formatted(file), unreadable);
        }
    }
}
