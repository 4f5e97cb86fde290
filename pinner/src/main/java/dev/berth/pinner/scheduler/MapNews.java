package dev.berth.pinner.scheduler;

import dev.berth.kube.schedule.PodNews;
import dev.berth.pinner.map.GpuMap;
import dev.berth.pinner.map.Keys;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells a pod once what is wrong with its map, and when its containers see other GPUs than the map says. */
final class MapNews {
    private static final String MALFORMED = "MalformedMap";
    private static final int MOST_LINES = 5;
    private static final int MOST_REMEMBERED = 4096;

    private final PodNews news;
    private final Map<String, GpuMap> told = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, GpuMap> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    MapNews(PodNews news) {
        this.news = news;
    }

    /** One event a line, the first time that this pod is seen with this map. */
    void problems(Pod pod, GpuMap map) {
        if (map.problems().isEmpty() || map.equals(told.put(pod.getMetadata().getUid(), map))) {
            return;
        }
        map.problems().stream()
                .limit(MOST_LINES)
                .forEach(problem -> news.warn(pod, MALFORMED, Keys.MAP + ": " + problem.words()));
        int more = map.problems().size() - MOST_LINES;
        if (more > 0) {
            news.warn(pod, MALFORMED, "%s: and %d more lines".formatted(Keys.MAP, more));
        }
    }

    /** The webhook warns of it too, where there is one. */
    void sharing(Pin pin) {
        for (var device : pin.devices()) {
            var others = pin.sharers().getOrDefault(device, Set.of());
            if (!others.isEmpty()) {
                news.warn(
                        pin.pod(),
                        "SharedGpu",
                        "%s gives GPU %s of %s to replica %s as well: they share it"
                                .formatted(
                                        Keys.MAP,
                                        device,
                                        pin.node(),
                                        others.stream()
                                                .limit(MOST_LINES)
                                                .map(String::valueOf)
                                                .collect(Collectors.joining(", "))));
                return;
            }
        }
    }

    void differences(Pin pin) {
        Stream.of(pin.pod().getSpec().getContainers(), pin.pod().getSpec().getInitContainers())
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(container -> differs(container, pin.entry().devices()))
                .findFirst()
                .ifPresent(container -> news.warn(
                        pin.pod(),
                        "VisibleDevicesDiffer",
                        "container %s has another %s than the %s of its map; a pod that was created before the map was changed must be deleted to get it"
                                .formatted(
                                        container.getName(),
                                        Keys.VISIBLE_DEVICES,
                                        pin.entry().devices())));
    }

    private static boolean differs(Container container, String devices) {
        return Objects.requireNonNullElse(container.getEnv(), List.<EnvVar>of()).stream()
                .filter(variable -> Keys.VISIBLE_DEVICES.equals(variable.getName()) && variable.getValueFrom() == null)
                .anyMatch(variable -> !devices.equals(Objects.requireNonNullElse(variable.getValue(), "")));
    }
}
