package dev.berth.claims.dra.demand;

import dev.berth.claims.dra.pool.Given;
import dev.berth.claims.dra.pool.SliceDevice;
import dev.berth.core.NodeName;
import dev.berth.core.demand.NodeFit;
import dev.berth.kube.fit.NodeRoom;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequestBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What a pod asks for in the old way, as a number of an extended resource, where a class says that its devices are
 * meant: a claim stands for it that nobody wrote.
 *
 * @param mappings which request of the claim is which container's
 */
public record ExtendedResources(
        Set<String> resources, ResourceClaim claim, List<ContainerExtendedResourceRequest> mappings) {
    /** What the claim is called among the pod's, where no claim of a pod can be called so. */
    public static final String USE = "<extended-resources>";

    private static final String IMPLICIT = "deviceclass.resource.kubernetes.io/";
    private static final String ANNOTATION = "resource.kubernetes.io/extended-resource-claim";

    /** Nothing for a pod that asks for no such resource. */
    public static Optional<ExtendedResources> of(Pod pod, Collection<DeviceClass> classes) {
        var byResource = new TreeMap<String, String>();
        PodResourceClaims.containers(pod)
                .forEach(container -> requests(container).forEach((resource, amount) -> {
                    if (amount(amount) > 0) {
                        className(resource, classes).ifPresent(name -> byResource.put(resource, name));
                    }
                }));
        if (byResource.isEmpty()) {
            return Optional.empty();
        }
        var collected = new Collected(pod);
        byResource.forEach(collected::add);
        return Optional.of(new ExtendedResources(
                new TreeSet<>(byResource.keySet()), claim(pod, collected.requests), List.copyOf(collected.mappings)));
    }

    /** The nodes on which devices stand for the resources: one that has a resource by number has it already. */
    public NodeFit byDevices(NodeFit others, Function<NodeName, Optional<NodeRoom>> rooms) {
        return node -> rooms.apply(node).stream()
                .flatMap(room -> resources.stream().filter(name -> has(room, name)))
                .findFirst()
                .map("it has %s from a device plugin"::formatted)
                .or(() -> others.refuses(node));
    }

    /** Whether some node has one of the resources by number, so that the pod may do without devices. */
    public boolean anyByNumber(Collection<NodeRoom> rooms) {
        return rooms.stream().anyMatch(room -> resources.stream().anyMatch(name -> has(room, name)));
    }

    private static boolean has(NodeRoom room, String resource) {
        return room.allocatable().amounts().containsKey(resource);
    }

    /** Of several classes the newest, so that one can take over from another; made at once, the first by name. */
    private static Optional<String> className(String resource, Collection<DeviceClass> classes) {
        return classes.stream()
                .filter(each -> resource.equals(each.getSpec().getExtendedResourceName())
                        || resource.equals(IMPLICIT + each.getMetadata().getName()))
                .min(Comparator.comparing(ExtendedResources::made)
                        .reversed()
                        .thenComparing(each -> each.getMetadata().getName()))
                .map(each -> each.getMetadata().getName());
    }

    /** As a server writes it, so that texts compare as times; nothing for a class of a file. */
    private static String made(DeviceClass known) {
        return Given.text(known.getMetadata().getCreationTimestamp());
    }

    private static Map<String, Quantity> requests(Container container) {
        return container.getResources() == null
                ? Map.of()
                : Given.map(container.getResources().getRequests());
    }

    private static long amount(Quantity written) {
        return SliceDevice.quantity(written).value().longValue();
    }

    private static ResourceClaim claim(Pod pod, List<DeviceRequest> requests) {
        return new ResourceClaimBuilder()
                .withMetadata(new ObjectMetaBuilder()
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName() + "-extended-resources")
                        .withAnnotations(Map.of(ANNOTATION, "true"))
                        .withOwnerReferences(PodResourceClaims.owner(pod))
                        .build())
                .withNewSpec()
                .withNewDevices()
                .withRequests(requests)
                .endDevices()
                .endSpec()
                .build();
    }

    /** Goes through the containers once a resource. */
    private static final class Collected {
        private final List<Container> containers;
        private final int inits;
        private final List<DeviceRequest> requests = new ArrayList<>();
        private final List<ContainerExtendedResourceRequest> mappings = new ArrayList<>();

        Collected(Pod pod) {
            containers = PodResourceClaims.containers(pod).toList();
            inits = Given.list(pod.getSpec().getInitContainers()).size();
        }

        void add(String resource, String className) {
            var lasting = new TreeMap<Integer, DeviceRequest>();
            for (int index = 0; index < containers.size(); index++) {
                long wanted = wanted(index, resource);
                if (!isShortLived(index) && wanted > 0) {
                    lasting.put(index, request(index, resource, className, wanted));
                    map(index, resource, name(index, resource));
                }
            }
            shortLived(resource, className, lasting).ifPresent(requests::add);
            requests.addAll(lasting.values());
            requests.sort(Comparator.comparing(DeviceRequest::getName));
        }

        /**
         * An init container that ends uses the devices of those that come after it, and only what is missing then is
         * asked for: once for all of them, since they run one after the other.
         */
        private Optional<DeviceRequest> shortLived(
                String resource, String className, SortedMap<Integer, DeviceRequest> lasting) {
            var users = new ArrayList<Integer>();
            long most = 0;
            int largest = 0;
            for (int index = 0; index < inits; index++) {
                long missing = isShortLived(index) ? wanted(index, resource) : 0;
                for (var later : lasting.tailMap(index).values()) {
                    if (missing > 0) {
                        map(index, resource, later.getName());
                        missing -= later.getExactly().getCount();
                    }
                }
                if (missing > 0) {
                    users.add(index);
                    largest = missing > most ? index : largest;
                    most = Math.max(most, missing);
                }
            }
            if (users.isEmpty()) {
                return Optional.empty();
            }
            for (int user : users) {
                map(user, resource, name(largest, resource));
            }
            return Optional.of(request(largest, resource, className, most));
        }

        private boolean isShortLived(int index) {
            return index < inits && !"Always".equals(containers.get(index).getRestartPolicy());
        }

        private long wanted(int index, String resource) {
            return Optional.ofNullable(requests(containers.get(index)).get(resource))
                    .map(ExtendedResources::amount)
                    .orElse(0L);
        }

        private String name(int index, String resource) {
            var names = new ArrayList<>(
                    new TreeSet<>(requests(containers.get(index)).keySet()));
            return "container-%d-request-%d".formatted(index, names.indexOf(resource));
        }

        private DeviceRequest request(int index, String resource, String className, long count) {
            return new DeviceRequestBuilder()
                    .withName(name(index, resource))
                    .withNewExactly()
                    .withDeviceClassName(className)
                    .withAllocationMode(Request.EXACT_COUNT)
                    .withCount(count)
                    .endExactly()
                    .build();
        }

        private void map(int index, String resource, String request) {
            mappings.add(
                    new ContainerExtendedResourceRequest(containers.get(index).getName(), request, resource));
        }
    }
}
