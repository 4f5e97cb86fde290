package dev.berth.assigner.device;

import dev.berth.assigner.wire.DeviceLabels;
import dev.berth.assigner.wire.DeviceLabels.UnreadableException;
import dev.berth.assigner.wire.Keys;
import dev.berth.assigner.wire.LeaseName;
import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Inventory;
import dev.berth.core.NodeName;
import dev.berth.kube.cache.Change;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The GPUs of all nodes, from the nodes' annotations. A node whose annotation cannot be read has none, and the others
 * are not touched by that. Where two nodes claim one UUID, the later by name has it.
 */
public final class Gpus {
    /** The attribute in which a device carries its labels. */
    static final String LABELS = "labels";

    private static final Logger LOG = LoggerFactory.getLogger(Gpus.class);

    private record Decoded(String annotation, DeviceLabels labels) {}

    private final BiConsumer<Node, String> complaint;
    private final Map<NodeName, Decoded> nodes = new ConcurrentHashMap<>();
    private final Map<String, NavigableSet<NodeName>> claims = new HashMap<>();
    private final Map<String, NodeName> owners = new ConcurrentHashMap<>();
    private final Map<String, NavigableSet<String>> byLease = new ConcurrentHashMap<>();
    private final Map<NodeName, String> unreadable = new ConcurrentHashMap<>();
    private volatile Inventory inventory = Inventory.EMPTY;

    /** @param complaint is told of a node whose annotation cannot be read, and why */
    public Gpus(BiConsumer<Node, String> complaint) {
        this.complaint = complaint;
    }

    public synchronized void heard(Change<Node> change) {
        var node = change.newest();
        var name = new NodeName(node.getMetadata().getName());
        var annotation = change instanceof Change.Removed<Node> ? "" : annotation(node);
        var known = nodes.get(name);
        if (known != null ? known.annotation().equals(annotation) : annotation.isEmpty()) {
            return;
        }
        var before = known == null ? DeviceLabels.NONE : known.labels();
        var after = decode(node, name, annotation);
        if (annotation.isEmpty()) {
            nodes.remove(name);
        } else {
            nodes.put(name, new Decoded(annotation, after));
        }
        replace(name, before, after);
    }

    private static String annotation(Node node) {
        var annotations = Objects.requireNonNullElse(node.getMetadata().getAnnotations(), Map.<String, String>of());
        return annotations.getOrDefault(Keys.DEVICE_LABELS, "");
    }

    private DeviceLabels decode(Node node, NodeName name, String annotation) {
        unreadable.remove(name);
        if (annotation.isEmpty()) {
            return DeviceLabels.NONE;
        }
        try {
            return DeviceLabels.decode(annotation);
        } catch (UnreadableException problem) {
            var why = String.valueOf(problem.getMessage());
            LOG.warn("node is passed over, its annotation cannot be read: node={} reason={}", name, why);
            unreadable.put(name, why);
            complaint.accept(node, why);
            return DeviceLabels.NONE;
        }
    }

    private void replace(NodeName name, DeviceLabels before, DeviceLabels after) {
        var touched = new TreeSet<NodeName>();
        touched.add(name);
        for (var uuid : before.byUuid().keySet()) {
            var claimants = claims.getOrDefault(uuid, new TreeSet<>());
            claimants.remove(name);
            touched.addAll(claimants);
            if (claimants.isEmpty()) {
                claims.remove(uuid);
                owners.remove(uuid);
                byLease.computeIfPresent(LeaseName.of(uuid), (_, uuids) -> without(uuids, uuid));
            }
        }
        for (var uuid : after.byUuid().keySet()) {
            var claimants = claims.computeIfAbsent(uuid, _ -> new TreeSet<>());
            touched.addAll(claimants);
            claimants.add(name);
            byLease.merge(LeaseName.of(uuid), new TreeSet<>(Set.of(uuid)), Gpus::together);
            warnIfClaimedTwice(uuid, claimants);
        }
        Stream.of(before, after)
                .flatMap(labels -> labels.byUuid().keySet().stream())
                .forEach(uuid -> Optional.ofNullable(claims.get(uuid))
                        .ifPresent(claimants -> owners.put(uuid, claimants.last())));
        touched.forEach(this::shelve);
    }

    private void warnIfClaimedTwice(String uuid, NavigableSet<NodeName> claimants) {
        if (claimants.size() > 1) {
            LOG.warn("several nodes claim one GPU, the last has it: uuid={} nodes={}", uuid, claimants);
        }
        var alike = byLease.get(LeaseName.of(uuid));
        if (alike != null && alike.size() > 1) {
            LOG.warn("GPUs share the name of a Lease, so that only one can be held at a time: uuids={}", alike);
        }
    }

    private void shelve(NodeName name) {
        var decoded = nodes.get(name);
        if (decoded == null) {
            inventory = inventory.without(name);
            return;
        }
        var devices = new ArrayList<Device>();
        decoded.labels().byUuid().forEach((uuid, labels) -> {
            if (name.equals(owners.get(uuid))) {
                devices.add(new Device(new DeviceId(uuid), name)
                        .withUuid(uuid)
                        .withAttributes(Map.of(LABELS, attribute(labels))));
            }
        });
        inventory = inventory.with(name, devices);
    }

    private static Attribute attribute(SortedSet<String> labels) {
        return new Attribute.Many(
                labels.stream().<Attribute>map(Attribute.Text::new).toList());
    }

    private static NavigableSet<String> together(NavigableSet<String> one, NavigableSet<String> other) {
        var both = new TreeSet<>(one);
        both.addAll(other);
        return both;
    }

    @SuppressWarnings("NullAway") // computeIfPresent removes on null
    private static NavigableSet<String> without(NavigableSet<String> uuids, String uuid) {
        var rest = new TreeSet<>(uuids);
        rest.remove(uuid);
        return rest.isEmpty() ? null : rest;
    }

    public Inventory inventory() {
        return inventory;
    }

    public Optional<NodeName> nodeOf(String uuid) {
        return Optional.ofNullable(owners.get(uuid));
    }

    public SortedSet<String> labels(String uuid) {
        return nodeOf(uuid)
                .map(nodes::get)
                .map(decoded -> decoded.labels().byUuid().get(uuid))
                .orElse(Collections.emptySortedSet());
    }

    /** The GPUs whose Lease has this name: one, unless UUIDs are very much alike. */
    public SortedSet<String> ofLease(String leaseName) {
        return byLease.getOrDefault(leaseName, Collections.emptyNavigableSet());
    }

    /** The nodes that are passed over, and why. */
    public Map<NodeName, String> unreadable() {
        return Map.copyOf(unreadable);
    }
}
