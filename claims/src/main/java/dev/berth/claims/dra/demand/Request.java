package dev.berth.claims.dra.demand;

import dev.berth.claims.dra.pool.Given;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.resource.v1.CapacityRequirements;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSelector;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceSubRequest;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import io.fabric8.kubernetes.api.model.resource.v1.ExactDeviceRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One way to meet a request: the request itself, or one of its sub-requests.
 *
 * @param sub the sub-request's name; empty for a request without any
 */
public record Request(
        String name,
        String sub,
        String className,
        List<DeviceSelector> selectors,
        String mode,
        long count,
        boolean admin,
        List<DeviceToleration> tolerations,
        Map<String, Quantity> capacity) {
    public static final String EXACT_COUNT = "ExactCount";
    public static final String ALL = "All";

    /** What the request is called in a status: {@code request} or {@code request/sub}. */
    public String fullName() {
        return sub.isEmpty() ? name : name + "/" + sub;
    }

    /** The ways to meet a request, the first the best. */
    static List<Request> of(DeviceRequest written) throws UnusableClaimException {
        var subs = Given.list(written.getFirstAvailable());
        if (!subs.isEmpty()) {
            return subs.stream().map(sub -> of(written.getName(), sub)).toList();
        }
        return List.of(of(
                written.getName(),
                Optional.ofNullable(written.getExactly())
                        .orElseThrow(() -> new UnusableClaimException(
                                "request %s: neither exactly nor firstAvailable (unsupported request type?)"
                                        .formatted(written.getName())))));
    }

    private static Request of(String name, ExactDeviceRequest written) {
        return new Request(
                name,
                "",
                Given.text(written.getDeviceClassName()),
                Given.list(written.getSelectors()),
                mode(written.getAllocationMode()),
                count(written.getCount()),
                Given.flag(written.getAdminAccess()),
                Given.list(written.getTolerations()),
                capacity(written.getCapacity()));
    }

    private static Request of(String name, DeviceSubRequest written) {
        return new Request(
                name,
                written.getName(),
                Given.text(written.getDeviceClassName()),
                Given.list(written.getSelectors()),
                mode(written.getAllocationMode()),
                count(written.getCount()),
                false,
                Given.list(written.getTolerations()),
                capacity(written.getCapacity()));
    }

    private static String mode(@Nullable String written) {
        return Given.text(written).isEmpty() ? EXACT_COUNT : Given.text(written);
    }

    private static long count(@Nullable Long written) {
        return written == null || written == 0 ? 1 : written;
    }

    private static Map<String, Quantity> capacity(@Nullable CapacityRequirements written) {
        return written == null ? Map.of() : Given.map(written.getRequests());
    }
}
