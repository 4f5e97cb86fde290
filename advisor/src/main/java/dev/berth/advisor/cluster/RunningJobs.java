package dev.berth.advisor.cluster;

import dev.berth.advisor.wire.Names;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The types of the jobs that run on GPUs at the moment, one entry for each pod. */
public final class RunningJobs {
    /** A sample of this size says the same about shares; a question must not grow with the cluster. */
    private static final int MOST = 256;

    private final Map<String, String> byUid = new HashMap<>();
    private final TreeMap<String, Integer> counts = new TreeMap<>();
    private int total;
    private @Nullable List<String> snapshot = List.of();

    /**
     * The kind of job that a pod is; empty for a pod that does not say, or says what nothing is learned about: an agent
     * would refuse its neighbours' observations with it, or the whole question.
     */
    public static Optional<String> typeOf(Pod pod) {
        var annotations = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of());
        var labels = Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of());
        return Optional.ofNullable(annotations.getOrDefault(Keys.JOB_TYPE, labels.get(Keys.JOB_TYPE)))
                .filter(type -> !type.equals(Keys.UNKNOWN) && Names.isKept(type));
    }

    synchronized void runs(String uid, String type) {
        if (!type.equals(byUid.get(uid))) {
            ended(uid);
            byUid.put(uid, type);
            counts.merge(type, 1, Integer::sum);
            total++;
            snapshot = null;
        }
    }

    synchronized void ended(String uid) {
        var type = byUid.remove(uid);
        if (type != null) {
            counts.merge(type, -1, (before, less) -> before + less == 0 ? null : before + less);
            total--;
            snapshot = null;
        }
    }

    /** By name, one entry a pod; of very many a sample with the same shares. */
    synchronized List<String> list() {
        var known = snapshot;
        if (known == null) {
            known = sample();
            snapshot = known;
        }
        return known;
    }

    private List<String> sample() {
        int size = Math.min(total, MOST);
        var list = new ArrayList<String>(size);
        long passed = 0;
        for (var entry : counts.entrySet()) {
            passed += entry.getValue();
            while (list.size() < passed * size / total) {
                list.add(entry.getKey());
            }
        }
        return List.copyOf(list);
    }
}
