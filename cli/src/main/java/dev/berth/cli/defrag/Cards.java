package dev.berth.cli.defrag;

import dev.berth.core.DeviceId;
import dev.berth.core.Entry;
import dev.berth.core.policy.Pack;
import dev.berth.core.share.GpuCapacity;
import dev.berth.core.share.Slice;
import dev.berth.extender.ExtenderSettings;
import dev.berth.extender.board.Board;
import dev.berth.kube.cache.Change;
import dev.berth.kube.explain.NodeReport;
import dev.berth.kube.ledger.CountedPods;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The GPUs of one node, numbered from 0.
 *
 * @param model what they are, as far as anybody says
 * @param entries who holds what by the ledgers and the doors' own records, each device by its number
 */
record Cards(String model, GpuCapacity capacity, List<Entry> entries) {
    Cards {
        entries = List.copyOf(entries);
    }

    /** As the ledgers and the doors of a running cluster show them. */
    static Cards of(NodeReport report) {
        var entries = new ArrayList<Entry>();
        long memory = 0;
        var cells = report.cells();
        for (int number = 0; number < cells.size(); number++) {
            var device = DeviceId.ofIndex(number);
            cells.get(number).entries().forEach(entry -> entries.add(entry.of(device)));
            var amount = cells.get(number).device().capacities().get(Pack.MEMORY);
            memory += amount == null ? 0 : amount.amount().value().longValue();
        }
        return new Cards(
                cells.isEmpty() ? "" : cells.getFirst().model(),
                new GpuCapacity((long) cells.size() * Slice.WHOLE, memory),
                entries);
    }

    /** As the node itself says; what pods hold, only they can tell. */
    static Cards of(Node node) {
        var board = new Board(ExtenderSettings.DEFAULT.quota().labels());
        board.heardNode(new Change.Added<>(node));
        var name = node.getMetadata().getName();
        var capacity = board.capacity(name).filter(gpus -> gpus.devices() > 0).orElseGet(() -> counted(node));
        return new Cards(board.model(name), capacity, List.of());
    }

    private static GpuCapacity counted(Node node) {
        var status = node.getStatus();
        Map<String, Quantity> room =
                status == null ? Map.of() : Objects.requireNonNullElse(status.getAllocatable(), Map.of());
        long gpus = room.entrySet().stream()
                .filter(each -> CountedPods.counts(each.getKey()))
                .mapToLong(each -> each.getValue().getNumericalAmount().longValue())
                .max()
                .orElse(0);
        return new GpuCapacity(gpus * Slice.WHOLE, 0);
    }
}
