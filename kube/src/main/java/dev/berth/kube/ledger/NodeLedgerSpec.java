package dev.berth.kube.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.berth.core.DeviceId;
import dev.berth.core.Door;
import dev.berth.core.Entry;
import dev.berth.core.Holder;
import dev.berth.core.Share;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ledger of one node as it lies in the API server; the CRD beside this class says the same in YAML. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record NodeLedgerSpec(@Nullable Summary summary, List<String> lines) {
    static final NodeLedgerSpec EMPTY = new NodeLedgerSpec(null, List.of());

    public NodeLedgerSpec(@Nullable Summary summary, @Nullable List<String> lines) {
        this.summary = summary;
        this.lines = lines == null ? List.of() : List.copyOf(lines);
    }

    /** Counts, for people who list ledgers. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Summary(int held, @Nullable Integer free, int assumed, int contested) {}

    /** What the lines say. */
    public List<Entry> entries() {
        return lines.stream()
                .filter(line -> !line.isBlank())
                .map(NodeLedgerSpec::entry)
                .toList();
    }

    /** Whoever wrote a line that nobody can read has the device that it begins with until somebody takes it out. */
    private static Entry entry(String line) {
        try {
            return LedgerLine.read(line);
        } catch (IllegalArgumentException unreadable) {
            var device = new DeviceId(Optional.of(line.strip().split("\\s", 2)[0])
                    .filter(id -> id.length() <= DeviceId.LONGEST)
                    .orElse("?"));
            var unknown = new Holder(Door.OUTSIDE, "", "a line that cannot be read", line, Optional.empty());
            return Entry.confirmed(device, unknown, Share.WHOLE);
        }
    }
}
