package dev.berth.bench.door;

import dev.berth.bench.Connection;
import dev.berth.bench.Target;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How many requests the API server has answered, by verb and resource, as it counts them itself. */
record Requests(Map<String, Double> counts) {
    private static final Pattern LINE = Pattern.compile(
            "apiserver_request_total\\{.*resource=\"([^\"]*)\".*subresource=\"([^\"]*)\".*verb=\"([^\"]*)\".*} (\\S+)");

    static Requests of(Target server) throws IOException {
        var counts = new TreeMap<String, Double>();
        try (var connection = new Connection(server)) {
            connection.ask("GET", "/metrics").lines().forEach(line -> {
                var found = LINE.matcher(line);
                if (found.matches()) {
                    var resource = found.group(1) + (found.group(2).isEmpty() ? "" : "/" + found.group(2));
                    counts.merge(found.group(3) + " " + resource, Double.parseDouble(found.group(4)), Double::sum);
                }
            });
        }
        return new Requests(counts);
    }

    /** What came since then, for each of so many questions; what is next to nothing is left out. */
    String since(Requests before, int questions) {
        return counts.entrySet().stream()
                .map(each -> Map.entry(
                        each.getKey(), (each.getValue() - before.counts.getOrDefault(each.getKey(), 0.0)) / questions))
                .filter(each -> each.getValue() >= 0.02)
                .map(each -> "%s %.2f".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining(", "));
    }
}
