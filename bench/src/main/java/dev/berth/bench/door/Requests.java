package dev.berth.bench.door;

import dev.berth.bench.Connection;
import dev.berth.bench.Target;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How many requests the API server has answered, by verb and resource, and how long it took, as it counts itself. */
public record Requests(Map<String, Double> counts, Map<String, Double> seconds) {
    private static final Pattern LINE = Pattern.compile(
            "apiserver_request_duration_seconds_(count|sum)\\{.*resource=\"([^\"]*)\".*subresource=\"([^\"]*)\".*verb=\"([^\"]*)\".*} (\\S+)");

    public static Requests of(Target server) throws IOException {
        var counts = new TreeMap<String, Double>();
        var seconds = new TreeMap<String, Double>();
        try (var connection = new Connection(server)) {
            connection.ask("GET", "/metrics").lines().forEach(line -> {
                var found = LINE.matcher(line);
                if (found.matches()) {
                    var resource = found.group(2) + (found.group(3).isEmpty() ? "" : "/" + found.group(3));
                    var sums = found.group(1).equals("count") ? counts : seconds;
                    sums.merge(found.group(4) + " " + resource, Double.parseDouble(found.group(5)), Double::sum);
                }
            });
        }
        return new Requests(counts, seconds);
    }

    /** What came since then, for each of so many questions; what is next to nothing is left out. */
    public String since(Requests before, int questions) {
        return counts.entrySet().stream()
                .map(each -> Map.entry(each.getKey(), gained(counts, before.counts, each.getKey()) / questions))
                .filter(each -> each.getValue() >= 0.02)
                .map(each -> "%s %.2f of %.1f ms"
                        .formatted(
                                each.getKey(),
                                each.getValue(),
                                1000 * gained(seconds, before.seconds, each.getKey()) / questions / each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private static double gained(Map<String, Double> now, Map<String, Double> before, String key) {
        return now.getOrDefault(key, 0.0) - before.getOrDefault(key, 0.0);
    }
}
