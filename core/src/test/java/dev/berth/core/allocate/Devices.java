package dev.berth.core.allocate;

import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.NodeName;
import dev.berth.core.Share;
import dev.berth.core.demand.Filter;
import dev.berth.core.verdict.Grant;
import dev.berth.core.verdict.Placement;
import dev.berth.core.verdict.Refusal;
import dev.berth.core.verdict.Verdict;
import dev.berth.core.verdict.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the examples are made of. */
final class Devices {
    static final NodeName NODE = new NodeName("n1");

    private Devices() {}

    static Device device(NodeName node, String id, String... attributes) {
        var values = new HashMap<String, Attribute>();
        for (int index = 0; index < attributes.length; index += 2) {
            values.put(attributes[index], new Attribute.Text(attributes[index + 1]));
        }
        return new Device(new DeviceId(id), node).withAttributes(values);
    }

    static List<Device> identical(NodeName node, int count) {
        var devices = new ArrayList<Device>();
        for (int index = 0; index < count; index++) {
            devices.add(device(node, "dev-%02d".formatted(index)));
        }
        return devices;
    }

    static Entry held(String device, String pod) {
        return Entry.confirmed(
                new DeviceId(device), Holder.pod(Door.CLAIMS, "default", pod, "uid-" + pod), Share.WHOLE);
    }

    static Entry held(String device, String pod, Share share) {
        return Entry.confirmed(new DeviceId(device), Holder.pod(Door.CLAIMS, "default", pod, "uid-" + pod), share);
    }

    /** Devices that have this value of this attribute. */
    record Having(String attribute, String value) implements Filter {
        @Override
        public Optional<String> refuses(Device device) {
            var found = device.attributes().get(attribute);
            return new Attribute.Text(value).equals(found)
                    ? Optional.empty()
                    : Optional.of("its %s is %s, not %s"
                            .formatted(attribute, found == null ? "unknown" : found.text(), value));
        }

        @Override
        public Optional<Set<String>> reads() {
            return Optional.of(Set.of(attribute));
        }
    }

    /** An answer in a line: {@code n1 gpu=dev-00,dev-01}, or the words of the refusal. */
    static String told(Verdict verdict) {
        return switch (verdict) {
            case Refusal refusal -> Words.of(refusal);
            case Placement placement -> {
                var byAsk = new LinkedHashMap<String, List<String>>();
                for (var grant : placement.grants()) {
                    byAsk.computeIfAbsent(name(grant), ask -> new ArrayList<>()).add(told(grant));
                }
                var line = new StringBuilder(placement.node().value());
                byAsk.forEach((ask, devices) ->
                        line.append(' ').append(ask).append('=').append(String.join(",", devices)));
                yield line.toString();
            }
        };
    }

    private static String name(Grant grant) {
        return grant.choice().isEmpty() ? grant.ask() : grant.ask() + "/" + grant.choice();
    }

    private static String told(Grant grant) {
        return switch (grant.share()) {
            case Share.Whole() -> grant.device().id().value();
            case Share.Part(var amounts) ->
                grant.device().id() + Map.copyOf(amounts).toString();
        };
    }
}
