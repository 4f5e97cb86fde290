package dev.berth.extender.wire;

import dev.berth.core.share.ShareDemand;
import dev.berth.core.share.Slice;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A pod as far as it matters here.
 *
 * @param version its resourceVersion, empty where it is not known
 * @param node where it is bound, empty where it is not
 * @param annotations those that a decision writes, and no others
 */
public record GpuPod(
        String namespace,
        String name,
        String uid,
        String version,
        String node,
        Map<String, String> annotations,
        List<GpuContainer> containers,
        List<GpuContainer> initContainers,
        boolean finished) {

    /** What one container asks for. */
    public record GpuContainer(String name, Slice slice, boolean sidecar) {
        boolean asks() {
            return slice.cores() > 0;
        }
    }

    public GpuPod {
        annotations = Map.copyOf(annotations);
        containers = List.copyOf(containers);
        initContainers = List.copyOf(initContainers);
    }

    /** Who holds devices for it; a pod that somebody wrote by hand may lack a uid. */
    public String id() {
        return uid.isEmpty() ? namespace + "/" + name : uid;
    }

    public boolean bound() {
        return !node.isEmpty();
    }

    /** Whether an earlier decision left its mark, or somebody who wants to look like one. */
    public boolean marked() {
        return annotations.keySet().stream().anyMatch(key -> !key.equals(Keys.NODE));
    }

    public boolean needsGpu() {
        long cores = 0;
        long memory = 0;
        for (var container : containers) {
            cores += container.slice().cores();
            memory += container.slice().memory();
        }
        for (var container : initContainers) {
            if (container.sidecar()) {
                cores += container.slice().cores();
                memory += container.slice().memory();
            } else if (isGpu(container.slice().cores(), container.slice().memory())) {
                return true;
            }
        }
        return isGpu(cores, memory);
    }

    private static boolean isGpu(long cores, long memory) {
        return cores >= Slice.WHOLE || (cores > 0 && memory > 0);
    }

    public ShareDemand demand() {
        return new ShareDemand(
                slices(containers.stream()),
                slices(initContainers.stream().filter(GpuContainer::sidecar)),
                slices(initContainers.stream().filter(container -> !container.sidecar())));
    }

    private static List<Slice> slices(Stream<GpuContainer> of) {
        return of.filter(GpuContainer::asks).map(GpuContainer::slice).toList();
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
