package dev.berth.advisor.agent;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** How much memory a type of GPU has: what the settings say, or what its name does. */
public record GpuMemory(Map<String, Double> gib) {
    private static final Pattern IN_NAME = Pattern.compile("(?i)(\\d+(?:\\.\\d+)?)\\s*gi?b\\b");

    public GpuMemory {
        gib = Map.copyOf(gib);
    }

    OptionalDouble of(String gpuType) {
        var told = gib.get(gpuType);
        if (told != null) {
            return OptionalDouble.of(told);
        }
        // A slice is named after its card: of A100-SXM4-80GB-MIG-1g.10gb a job gets the last.
        return IN_NAME.matcher(gpuType)
                .results()
                .mapToDouble(size -> Double.parseDouble(size.group(1)))
                .reduce((_, last) -> last);
    }

    /** Those that are large enough, as far as that is known. */
    List<String> largeEnough(List<String> gpuTypes, double needed) {
        if (needed <= 0) return gpuTypes;
        return gpuTypes.stream()
                .filter(type -> !(of(type).orElse(Double.POSITIVE_INFINITY) < needed))
                .toList();
    }
}
