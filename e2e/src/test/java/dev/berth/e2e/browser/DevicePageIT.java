package dev.berth.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.assigner.page.DevicePage;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The assigner's page in a real browser, with devices that the test makes up. */
@Timeout(120)
class DevicePageIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VISIBLE = "[...document.querySelectorAll('#devices tr:not([hidden])')]";

    @RegisterExtension
    static final SharedBrowser BROWSER = new SharedBrowser();

    private final ObjectNode devices = JSON.createObjectNode();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final HttpServer server = HttpServer.start(
            List.of(new Listener("ui", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, this::routes)));
    private final Page page = BROWSER.page(1200, 800);

    @AfterEach
    void close() {
        events.add("end");
        page.close();
        server.close();
    }

    private void routes(HttpRouting.Builder routes) {
        new DevicePage(() -> devices).addTo(routes);
        routes.get("/devices", (_, response) -> {
            response.header(HeaderNames.CONTENT_TYPE, "application/json");
            response.send(devices.toString());
        });
        routes.get("/devices/stream", (_, response) -> {
            response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
            try (var out = response.outputStream()) {
                write(out, "event: devices\ndata: " + devices + "\n\n");
                for (var next = events.poll(60, TimeUnit.SECONDS);
                        next != null && !next.equals("end");
                        next = events.poll(60, TimeUnit.SECONDS)) {
                    write(out, next);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void write(OutputStream out, String text) {
        try {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode device(String id, String node, String... labels) {
        var device = devices.putObject(id).put("node", node);
        for (var label : labels) device.withArray("labels").add("fudo.org/" + label);
        if (labels.length == 0) device.putArray("labels");
        return device;
    }

    private Page open(String path) {
        return page.open("http://127.0.0.1:" + server.port("ui") + path)
                .await("document.getElementById('connection').textContent === 'live'");
    }

    private String cells(String device) {
        return page.text(
                "[...document.querySelector('[data-device=\"%s\"]').children].map(cell => cell.innerText).join(' | ')"
                        .formatted(device));
    }

    private static void hold(ObjectNode device, boolean exists, String pod, String state) {
        device.putObject("assignment")
                .put("exists?", exists)
                .put("namespace", "team-vision")
                .put("name", pod)
                .put("state", state);
    }

    /** Kept as target/screenshots/assigner.png; the handbook's docs/pictures/assigner.png is a copy of it. */
    @Test
    void itLooksLikeItsPictureInTheHandbook() {
        for (int gpu = 0; gpu < 4; gpu++) {
            device("GPU-8f3a6c1e-%d".formatted(gpu), "gpu-node-1", "gpu.a100", "gpu.vram.80g");
            device("GPU-c07d9b42-%d".formatted(gpu), "gpu-node-2", "gpu.h100", "gpu.vram.80g");
        }
        hold((ObjectNode) devices.path("GPU-8f3a6c1e-0"), true, "train-resnet-0", "active");
        hold((ObjectNode) devices.path("GPU-8f3a6c1e-1"), true, "train-resnet-1", "active");
        hold((ObjectNode) devices.path("GPU-8f3a6c1e-2"), false, "", "proposal");
        hold((ObjectNode) devices.path("GPU-c07d9b42-0"), true, "notebook-ada", "active");
        open("/");

        page.await("document.querySelectorAll('#devices .status.assigned').length === 3");
        page.screenshot(E2eFolder.kept("screenshots/assigner.png"));
        assertThat(page.problems()).isEmpty();
    }

    @Test
    void aRowSaysWhatADeviceIsAndWhoHoldsIt() {
        device("GPU-1", "n1", "gpu.vram.80g", "gpu.a100");
        device("GPU-2", "n1");
        device("GPU-3", "n2", "gpu.a100")
                .putObject("assignment")
                .put("exists?", true)
                .put("namespace", "team")
                .put("name", "train-0")
                .put("state", "active");
        open("/");

        assertThat(page.text("document.title")).isEqualTo("GPU Device Assignment");
        assertThat(page.text("[...document.querySelectorAll('thead th')].map(th => th.textContent).join()"))
                .isEqualTo("Device,Labels,Node,Assignment,Status");
        assertThat(cells("GPU-1")).isEqualTo("GPU-1 | gpu.a100\ngpu.vram.80g | n1 | - | available");
        assertThat(cells("GPU-2")).isEqualTo("GPU-2 | - | n1 | - | available");
        assertThat(cells("GPU-3")).isEqualTo("GPU-3 | gpu.a100 | n2 | team/train-0 | assigned");
        assertThat(page.problems()).isEmpty();
        assertThat(page.requests()).allMatch(url -> url.startsWith("http://127.0.0.1:" + server.port("ui")));
    }

    @Test
    void withoutDevicesItSaysSo() {
        open("/");

        assertThat(page.text("document.getElementById('devices').innerText")).isEqualTo("No devices discovered.");
    }

    @Test
    void aChangeIsSeenWithoutReloading() {
        device("GPU-1", "n1", "gpu.a100");
        open("/");
        page.evaluate("window.sameDocument = true");

        events.add("""
                event: change
                data: {"GPU-1":{"node":"n1","labels":["fudo.org/gpu.a100"],"assignment":{"exists?":false,"namespace":"default","uid":null,"state":"proposal"}},"GPU-9":{"node":"n0","labels":[]}}

                """);
        page.await("document.querySelector('[data-device=\"GPU-1\"] .status').textContent === 'pending'");
        assertThat(cells("GPU-1")).isEqualTo("GPU-1 | gpu.a100 | n1 | default/ | pending");
        assertThat(page.text(VISIBLE + ".map(row => row.dataset.device).join()"))
                .isEqualTo("GPU-9,GPU-1");

        events.add("event: change\ndata: {\"GPU-9\":null}\n\n");
        page.await("document.querySelectorAll('#devices tr').length === 1");
        assertThat(page.evaluate("window.sameDocument").asBoolean()).isTrue();
        assertThat(page.problems()).isEmpty();
    }

    @Test
    void devicesAreFilteredByLabelNodeAndStatus() {
        device("GPU-1", "n1", "gpu.a100", "gpu.vram.80g");
        device("GPU-2", "n2", "gpu.a100");
        device("GPU-3", "n2", "gpu.h100");
        open("/");

        page.type("#label", "a100").await(VISIBLE + ".length === 2");
        page.type("#node", "n2").await(VISIBLE + ".length === 1");
        assertThat(page.text(VISIBLE + "[0].dataset.device")).isEqualTo("GPU-2");
        assertThat(page.text("document.getElementById('shown').textContent")).isEqualTo("1 of 3 devices");
        page.type("#node", "").type("#label", "fudo.org/gpu.a100 80g").await(VISIBLE + ".length === 1");
        page.type("#label", "").click("#summary [data-status=assigned]").await(VISIBLE + ".length === 0");
        page.click("#summary [data-status=assigned]").await(VISIBLE + ".length === 3");
    }

    @Test
    void everyControlAndTheTableHaveNamesForWhoCannotSeeThem() {
        device("GPU-1", "n1", "gpu.a100");
        open("/");

        assertThat(page.evaluate("[...document.querySelectorAll('input')].every(input => input.labels.length === 1)")
                        .asBoolean())
                .isTrue();
        assertThat(page.text("document.querySelector('table').caption.textContent"))
                .isEqualTo("Devices, and who holds them");
        assertThat(page.evaluate(
                                "document.querySelectorAll('thead th[scope=col]').length === 5 && document.querySelectorAll('tbody th[scope=row]').length === 1 && document.documentElement.lang === 'en'")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void onAPhoneNothingIsWiderThanTheScreen() {
        device("GPU-8f3a6c1e-0000-1111-2222-333344445555", "a-node-with-a-rather-long-name.example.org", "gpu.a100");
        page.size(390, 844);
        open("/");

        assertThat(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
                        .asBoolean())
                .isTrue();
        page.screenshot(E2eFolder.kept("screenshots/page-phone.png"));
    }

    @Test
    void twoThousandDevicesAreShownFilteredAndChanged() {
        for (int node = 0; node < 250; node++) {
            for (int gpu = 0; gpu < 8; gpu++) {
                var device = device(
                        "GPU-%03d-%d".formatted(node, gpu), "node-" + node, node % 2 == 0 ? "gpu.a100" : "gpu.h100");
                if (gpu < 5) {
                    device.putObject("assignment")
                            .put("exists?", true)
                            .put("namespace", "team")
                            .put("name", "train-" + node + "-" + gpu)
                            .put("state", "active");
                }
            }
        }
        open("/").await(VISIBLE + ".length === 2000");
        assertThat(page.text("document.getElementById('summary').innerText.replace(/\\s+/g, ' ')"))
                .isEqualTo("750 available 0 pending 1250 assigned 0 expired");

        page.type("#label", "h100").await(VISIBLE + ".length === 1000");
        page.type("#node", "node-249").await(VISIBLE + ".length === 8");
        events.add("event: change\ndata: {\"GPU-249-7\":null}\n\n");
        page.await(VISIBLE + ".length === 7");
        // Only what changed is touched: the rest of the table is the same elements as before.
        page.evaluate("window.first = document.querySelector('#devices tr')");
        events.add("event: devices\ndata: " + devices + "\n\n");
        page.await("document.querySelectorAll('#devices tr').length === 2000");
        assertThat(page.evaluate("window.first === document.querySelector('#devices tr')")
                        .asBoolean())
                .isTrue();
        page.type("#label", "").type("#node", "").await(VISIBLE + ".length === 2000");
        page.screenshot(E2eFolder.kept("screenshots/page-2000.png"));
        page.dark(true).screenshot(E2eFolder.kept("screenshots/page-dark.png"));
        assertThat(page.problems()).isEmpty();
    }
}
