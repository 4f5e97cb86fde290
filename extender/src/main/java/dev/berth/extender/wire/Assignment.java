package dev.berth.extender.wire;

import dev.berth.core.share.SharePlacement;
import dev.berth.extender.wire.GpuPod.GpuContainer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A decision as it is written on the pod, and read there again. */
public final class Assignment {
    private static final int MOST_DEVICES = 1024;

    private Assignment() {}

    /** The annotations of a decision; those of an earlier one that it does not replace are to be taken away. */
    public static Map<String, Optional<String>> annotations(
            GpuPod pod, String node, SharePlacement placement, Instant now) {
        var written = new HashMap<String, Optional<String>>();
        pod.annotations().keySet().forEach(key -> written.put(key, Optional.empty()));
        written.put(Keys.NODE, Optional.of(node));
        written.put(Keys.TIME, Optional.of(Long.toString(nanos(now))));
        written.put(Keys.ASSIGNED, Optional.of("false"));
        var containers = placement.containers().iterator();
        for (int place = 0; place < pod.containers().size(); place++) {
            if (pod.containers().get(place).asks()) {
                written.put(Keys.INDEX_PREFIX + place, Optional.of(joined(containers.next())));
            }
        }
        var sidecars = placement.sidecars().iterator();
        var preparing = placement.preparing().iterator();
        for (int place = 0; place < pod.initContainers().size(); place++) {
            var container = pod.initContainers().get(place);
            if (container.asks()) {
                var devices = container.sidecar() ? sidecars.next() : preparing.next();
                written.put(Keys.INIT_INDEX_PREFIX + place, Optional.of(joined(devices)));
            }
        }
        return written;
    }

    private static long nanos(Instant now) {
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }

    private static String joined(List<Integer> devices) {
        return devices.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** When the decision on this pod was made; nothing where that cannot be read. */
    public static Optional<Instant> madeAt(GpuPod pod) {
        try {
            long nanos = Long.parseLong(pod.annotations().getOrDefault(Keys.TIME, ""));
            return nanos < 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(0, nanos));
        } catch (NumberFormatException unreadable) {
            return Optional.empty();
        }
    }

    /** What a container was given, nothing where the pod does not say or says nonsense. */
    public record Given(String container, GpuContainer asked, Optional<List<Integer>> devices, boolean preparing) {}

    public static List<Given> given(GpuPod pod) {
        var given = new ArrayList<Given>();
        read(pod, pod.containers(), Keys.INDEX_PREFIX, "", given);
        read(pod, pod.initContainers(), Keys.INIT_INDEX_PREFIX, "init-", given);
        return given;
    }

    private static void read(
            GpuPod pod, List<GpuContainer> containers, String prefix, String label, List<Given> given) {
        boolean init = !label.isEmpty();
        for (int place = 0; place < containers.size(); place++) {
            var container = containers.get(place);
            if (container.asks()) {
                given.add(new Given(
                        label + place,
                        container,
                        devices(pod.annotations().getOrDefault(prefix + place, "")),
                        init && !container.sidecar()));
            }
        }
    }

    private static Optional<List<Integer>> devices(String text) {
        var devices = new ArrayList<Integer>();
        for (var part : text.split(",", -1)) {
            try {
                int device = Integer.parseInt(part.strip());
                if (device < 0 || device >= MOST_DEVICES) {
                    return Optional.empty();
                }
                devices.add(device);
            } catch (NumberFormatException unreadable) {
                return Optional.empty();
            }
        }
        return Optional.of(devices);
    }
}
