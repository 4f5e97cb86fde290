package dev.berth.kube.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ledger of one node as it lies in the API server; the CRD beside this class says the same in YAML. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record NodeLedgerSpec(@Nullable Summary summary, List<HeldDevice> devices) {
    static final NodeLedgerSpec EMPTY = new NodeLedgerSpec(null, List.of());

    public NodeLedgerSpec(@Nullable Summary summary, @Nullable List<HeldDevice> devices) {
        this.summary = summary;
        this.devices = devices == null ? List.of() : List.copyOf(devices);
    }

    /** Counts, for people who list ledgers. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Summary(int held, @Nullable Integer free, int assumed, int contested) {}

    /** A device that somebody holds. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record HeldDevice(String id, List<HeldBy> holders) {
        public HeldDevice {
            holders = List.copyOf(holders);
        }
    }

    /** Somebody who holds a device. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record HeldBy(
            String id,
            String door,
            String namespace,
            String name,
            @Nullable String uid,
            @Nullable Map<String, String> share,
            String state,
            @Nullable String expires) {}
}
