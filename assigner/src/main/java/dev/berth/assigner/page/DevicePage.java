package dev.berth.assigner.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The table of devices as HTML: complete without a script, kept up to date by one. Its files are its own: the policy
 * that it sends lets the browser load nothing from anywhere else, and run nothing that stands in the markup.
 */
public final class DevicePage {
    private static final HeaderName POLICY = HeaderNames.create("Content-Security-Policy");
    private static final HeaderName SNIFFING = HeaderNames.create("X-Content-Type-Options");
    private static final HeaderName REFERRER = HeaderNames.create("Referrer-Policy");
    private static final String ONLY_OURS = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final Map<String, String> FILES = Map.of(
            "page.css", "text/css; charset=utf-8",
            "page.js", "text/javascript; charset=utf-8",
            "page.svg", "image/svg+xml");
    private static final String ROWS = "<!--rows-->";
    private static final String NONE =
            "<tr class=\"none\" role=\"row\"><td role=\"cell\" colspan=\"5\">No devices discovered.</td></tr>";

    private final Supplier<? extends JsonNode> devices;
    private final String frame = read("index.html");

    /** @param devices what {@code GET /devices} answers */
    public DevicePage(Supplier<? extends JsonNode> devices) {
        this.devices = devices;
    }

    public void addTo(HttpRouting.Builder routes) {
        routes.get("/", (_, response) -> {
            // Upstream's own words for the type.
            headers(response, "text/html;charset=utf-8");
            response.send(html());
        });
        FILES.forEach((name, type) -> {
            var content = read(name);
            routes.get("/" + name, (_, response) -> {
                headers(response, type);
                response.send(content);
            });
        });
    }

    private static void headers(ServerResponse response, String type) {
        response.header(HeaderNames.CONTENT_TYPE, type);
        response.header(HeaderNames.CACHE_CONTROL, "no-cache");
        response.header(POLICY, ONLY_OURS);
        response.header(SNIFFING, "nosniff");
        response.header(REFERRER, "no-referrer");
    }

    String html() {
        var rows = devices.get().properties().stream()
                .map(device -> DeviceRow.of(device.getKey(), device.getValue()))
                .sorted(Comparator.comparing(DeviceRow::node).thenComparing(DeviceRow::device))
                .map(DevicePage::row)
                .collect(Collectors.joining("\n"));
        return frame.replace(ROWS, rows.isEmpty() ? NONE : rows);
    }

    private static String row(DeviceRow row) {
        var device = escaped(row.device());
        var labels = row.labels().isEmpty() ? List.of("-") : row.labels();
        return """
                <tr role="row" data-device="%s"><th role="rowheader" scope="row" data-column="Device">%s</th>\
                <td role="cell" data-column="Labels">%s</td><td role="cell" data-column="Node">%s</td>\
                <td role="cell" data-column="Assignment">%s</td>\
                <td role="cell" data-column="Status"><span class="status %s">%s</span></td></tr>""".formatted(
                        device,
                        device,
                        labels.stream().map(DevicePage::escaped).collect(Collectors.joining("\n")),
                        escaped(row.node()),
                        escaped(row.assignment()),
                        row.status(),
                        row.status());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String read(String name) {
        try (var in = DevicePage.class.getResourceAsStream(name)) {
            if (in == null) throw new IllegalStateException(name + " is not in the jar");
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
