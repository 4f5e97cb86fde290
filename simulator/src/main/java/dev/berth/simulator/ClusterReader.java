package dev.berth.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.berth.core.Quantity;
import dev.berth.core.share.Parcel;
import dev.berth.core.share.Slice;
import java.io.CharConversionException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads a cluster as {@code kubectl get nodes,pods -A -o json} prints it. */
public final class ClusterReader {
    /** What says which GPUs a node has, the first one first. */
    private static final List<String> MODELS =
            List.of("nvidia.com/gpu.product", "gpu.nvidia.com/class", "gaia.tencent.com/gpu-model");

    private static final JsonMapper JSON = new JsonMapper();
    private static final String CORES = "tencent.com/vcuda-core";
    private static final BigDecimal MILLI = BigDecimal.valueOf(1000);
    private static final BigDecimal MIB = BigDecimal.valueOf(1 << 20);

    private final String source;

    private ClusterReader(String source) {
        this.source = source;
    }

    public static Trace read(Path file) throws IOException {
        TraceReader.check(file);
        return of(parse(Files.readAllBytes(file), file.toString()), file.toString());
    }

    /**
     * What was written down, as JSON.
     *
     * @param source what the bytes are of, for complaints
     * @throws BadTraceException with the line if it is none
     */
    public static JsonNode parse(byte[] bytes, String source) throws IOException {
        try {
            return JSON.readTree(bytes);
        } catch (JsonProcessingException notJson) {
            var place = notJson.getLocation();
            throw new BadTraceException(source, place == null ? 1 : place.getLineNr(), "is not JSON");
        } catch (CharConversionException notText) {
            // Zeroes at its beginning make it look like UTF-32, which it then is not.
            throw new BadTraceException(source, 1, "is not JSON");
        }
    }

    /** @param source what the list was read from, for complaints */
    public static Trace of(JsonNode list, String source) {
        var reader = new ClusterReader(source);
        var items = list.path("items");
        if (!items.isArray()) {
            throw new BadTraceException(
                    source, "has no items: kubectl get nodes,pods -A -o json prints what is needed");
        }
        var machines = new ArrayList<Machine>();
        var tasks = new ArrayList<Task>();
        for (var item : items) {
            switch (item.path("kind").asText()) {
                case "Node" -> reader.machine(item).ifPresent(machines::add);
                case "Pod" -> reader.task(item).ifPresent(tasks::add);
                default -> {
                    // Whatever else was asked for is no part of this.
                }
            }
        }
        return new Trace(machines, tasks);
    }

    /** Nothing for a node that takes no pods. */
    private Optional<Machine> machine(JsonNode node) {
        if (node.at("/spec/unschedulable").asBoolean()) {
            return Optional.empty();
        }
        var name = node.at("/metadata/name").asText();
        var room = node.at("/status/allocatable");
        var labels = node.at("/metadata/labels");
        return Optional.of(new Machine(
                name,
                cpu("node " + name, room),
                memory("node " + name, room),
                gpus("node " + name, room),
                MODELS.stream()
                        .map(label -> labels.path(label).asText())
                        .filter(model -> !model.isEmpty())
                        .findFirst()
                        .orElse("")));
    }

    private int gpus(String owner, JsonNode room) {
        var shared = amount(owner, room, CORES::equals).divideToIntegralValue(BigDecimal.valueOf(Slice.WHOLE));
        var gpus = amount(owner, room, ClusterReader::whole).max(shared);
        if (gpus.compareTo(BigDecimal.valueOf(TraceReader.MOST_GPUS)) > 0) {
            throw new BadTraceException(
                    source,
                    "%s has %s GPUs, more than %d".formatted(owner, gpus.toBigInteger(), TraceReader.MOST_GPUS));
        }
        return gpus.intValue();
    }

    /** Nothing for what comes with each node: it is there wherever the others go. */
    private Optional<Task> task(JsonNode pod) {
        for (var owner : pod.at("/metadata/ownerReferences")) {
            if (owner.path("kind").asText().equals("DaemonSet")) {
                return Optional.empty();
            }
        }
        var name = "%s/%s"
                .formatted(
                        pod.at("/metadata/namespace").asText(),
                        pod.at("/metadata/name").asText());
        var asked = new Asked(0, 0, 0);
        for (var container : pod.at("/spec/containers")) {
            asked = asked.plus(asked(name, container));
        }
        for (var container : pod.at("/spec/initContainers")) {
            asked = asked.orMore(asked(name, container));
        }
        return Optional.of(new Task(
                name, new Parcel(new Slice(asked.cores, 0), asked.cpu, models(pod)), asked.memory, Optional.empty()));
    }

    private record Asked(long cpu, long memory, long cores) {
        Asked plus(Asked other) {
            return new Asked(cpu + other.cpu, memory + other.memory, cores + other.cores);
        }

        Asked orMore(Asked other) {
            return new Asked(Math.max(cpu, other.cpu), Math.max(memory, other.memory), Math.max(cores, other.cores));
        }
    }

    private Asked asked(String pod, JsonNode container) {
        var requests = container.at("/resources/requests");
        var limits = container.at("/resources/limits");
        // What is only limited is asked for too; extended resources have both or a limit.
        var gpus = amount("pod " + pod, limits, ClusterReader::whole).longValue();
        long cores = gpus > 0
                ? gpus * Slice.WHOLE
                : amount("pod " + pod, limits, CORES::equals).longValue();
        return new Asked(
                cpu("pod " + pod, requests.has("cpu") ? requests : limits),
                memory("pod " + pod, requests.has("memory") ? requests : limits),
                cores);
    }

    /** The models that the pod's node selector and its required affinity leave. */
    private static Set<String> models(JsonNode pod) {
        var models = new HashSet<String>();
        var selector = pod.at("/spec/nodeSelector");
        MODELS.stream()
                .map(label -> selector.path(label).asText())
                .filter(model -> !model.isEmpty())
                .forEach(models::add);
        for (var term : pod.at(
                "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms")) {
            for (var expression : term.path("matchExpressions")) {
                if (MODELS.contains(expression.path("key").asText())
                        && expression.path("operator").asText().equals("In")) {
                    expression.path("values").forEach(value -> models.add(value.asText()));
                }
            }
        }
        return models;
    }

    private static boolean whole(String resource) {
        return resource.endsWith("/gpu");
    }

    private long cpu(String owner, JsonNode amounts) {
        return amount(owner, amounts, "cpu"::equals)
                .multiply(MILLI)
                .setScale(0, RoundingMode.CEILING)
                .longValue();
    }

    private long memory(String owner, JsonNode amounts) {
        return amount(owner, amounts, "memory"::equals)
                .divide(MIB, 0, RoundingMode.CEILING)
                .longValue();
    }

    private BigDecimal amount(String owner, JsonNode amounts, Predicate<String> wanted) {
        var sum = BigDecimal.ZERO;
        for (Map.Entry<String, JsonNode> each : amounts.properties()) {
            if (wanted.test(each.getKey())) {
                try {
                    sum = sum.add(Quantity.parse(each.getValue().asText()).value());
                } catch (IllegalArgumentException notAQuantity) {
                    throw new BadTraceException(
                            source,
                            "%s: %s is '%s', which is no quantity"
                                    .formatted(
                                            owner,
                                            each.getKey(),
                                            each.getValue().asText()));
                }
            }
        }
        return sum;
    }
}
