package dev.berth.assigner.page;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.web.page.PageFiles;
import io.helidon.webserver.http.HttpRouting;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The table of devices as HTML: complete without a script, kept up to date by one. */
public final class DevicePage {
    private static final List<String> FILES = List.of("page.css", "page.js", "page.svg");
    private static final PageFiles PAGE = new PageFiles(DevicePage.class);
    private static final String ROWS = "<!--rows-->";
    private static final String NONE =
            "<tr class=\"none\" role=\"row\"><td role=\"cell\" colspan=\"5\">No devices discovered.</td></tr>";

    private final Supplier<? extends JsonNode> devices;
    private final String frame = PAGE.read("index.html");

    /** @param devices what {@code GET /devices} answers */
    public DevicePage(Supplier<? extends JsonNode> devices) {
        this.devices = devices;
    }

    public void addTo(HttpRouting.Builder routes) {
        routes.get("/", (_, response) -> {
            // Upstream's own words for the type.
            PageFiles.headers(response, "text/html;charset=utf-8");
            response.send(html());
        });
        FILES.forEach(name -> PAGE.serve(routes, "/" + name, name));
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
}
