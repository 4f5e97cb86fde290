package dev.berth.advisor.cluster;

import java.util.List;
import java.util.Optional;

/** What a decision looks at besides the pod: all of it at hand, nothing is fetched. */
public interface Surroundings {
    GpuTypes gpuTypes();

    /** The types of the jobs that run on GPUs, one entry a pod. */
    List<String> runningJobs();

    /** Whether a pod may name this class; the API server refuses one that does not exist. */
    boolean hasPriorityClass(String name);

    /** Whether the API server gives this class to pods that name none. */
    boolean isDefaultPriorityClass(String name);

    /** What is not known yet. */
    Optional<String> problem();

    /** Without a cluster, for trying out: the fixed list, an empty cluster, every class is taken on trust. */
    Surroundings NONE = new Surroundings() {
        @Override
        public GpuTypes gpuTypes() {
            return GpuTypes.FIXED;
        }

        @Override
        public List<String> runningJobs() {
            return List.of();
        }

        @Override
        public boolean hasPriorityClass(String name) {
            return true;
        }

        @Override
        public boolean isDefaultPriorityClass(String name) {
            return false;
        }

        @Override
        public Optional<String> problem() {
            return Optional.empty();
        }
    };
}
