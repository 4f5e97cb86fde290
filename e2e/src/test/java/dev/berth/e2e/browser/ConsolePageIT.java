package dev.berth.e2e.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.console.Console;
import dev.berth.e2e.server.E2eFolder;
import dev.berth.web.HttpServer;
import dev.berth.web.Limits;
import dev.berth.web.Listener;
import dev.berth.web.page.Changes;
import dev.berth.web.page.RowStream;
import io.helidon.webserver.http.HttpRouting;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The console's page over rows that a test makes: a cluster larger than a test can start. */
class ConsolePageIT {
    private static final int NODES = 1000;
    private static final String VISIBLE = "[...document.querySelectorAll('#nodes .node')].filter(node => !node.hidden)";

    @RegisterExtension
    static final SharedBrowser BROWSER = new SharedBrowser();

    private final SortedMap<String, ObjectNode> rows = new ConcurrentSkipListMap<>();
    private final Changes changes = new Changes();
    private final RowStream stream =
            new RowStream("rows", changes, () -> Collections.unmodifiableSortedMap(new TreeMap<>(rows)));
    private final HttpServer server = HttpServer.start(
            List.of(new Listener("console", "127.0.0.1", 0, Optional.empty(), Limits.DEFAULT, this::routes)));
    private final Page page = BROWSER.page(1200, 900);

    @AfterEach
    void close() {
        stream.close();
        page.close();
        server.close();
    }

    private void routes(HttpRouting.Builder routes) {
        Console.files(routes, "");
        routes.get("/api/stream", stream::answer);
    }

    private static ObjectNode node(int number) {
        var name = "gpu-node-%04d".formatted(number);
        var row = JsonNodeFactory.instance.objectNode().put("name", name).put("state", "ready");
        var devices = row.putArray("devices");
        for (int gpu = 0; gpu < 8; gpu++) {
            double held = new double[] {0, 0.4, 1}[(number + gpu) % 3];
            var device = devices.addObject()
                    .put("id", Integer.toString(gpu))
                    .put("model", number % 3 == 0 ? "NVIDIA-A100" : number % 3 == 1 ? "NVIDIA-H100" : "NVIDIA-T4")
                    .put("held", held);
            device.putArray("doors").add("extender").add("pinner");
            device.putArray("names").add(Integer.toString(gpu));
            device.putObject("parts").put("cores", held).put("memory", held == 1 ? 1 : held / 2);
            var holders = device.putArray("holders");
            if (held > 0) {
                holders.addObject()
                        .put("pod", "team/train-%d-%d".formatted(number, gpu))
                        .put("door", held == 1 ? "pinner" : "extender")
                        .put("share", held == 1 ? "whole" : "40 cores, 8 memory")
                        .put("state", "confirmed");
            }
        }
        return row;
    }

    private Page openThousand() {
        for (int number = 0; number < NODES; number++) {
            rows.put("node/gpu-node-%04d".formatted(number), node(number));
        }
        rows.put(
                "cluster",
                JsonNodeFactory.instance.objectNode().put("nodes", NODES).put("waiting", 0));
        return page.open("http://127.0.0.1:" + server.port("console") + "/").await(VISIBLE + ".length === " + NODES);
    }

    @Test
    void aThousandNodesAreShownFoundColouredAndChanged() {
        openThousand();
        assertThat(page.evaluate("document.querySelectorAll('.cell').length").asInt())
                .isEqualTo(NODES * 8);
        page.evaluate("window.first = document.querySelector('#nodes .node')");

        page.type("#search", "gpu-node-0999").await(VISIBLE + ".length === 1");
        page.type("#search", "train-7-").await(VISIBLE + ".length > 0");
        page.type("#search", "").await(VISIBLE + ".length === " + NODES);
        page.evaluate(
                "{const colour = document.getElementById('colour'); colour.value = 'fragmentation'; colour.dispatchEvent(new Event('change')); undefined}");
        page.await("document.querySelectorAll('.cell.broken').length > 2000");
        page.screenshot(E2eFolder.kept("screenshots/console-1000.png"));

        var changed = node(5);
        ((ObjectNode) changed.path("devices").path(0)).put("held", 1);
        changed.put("state", "cordoned");
        rows.put("node/gpu-node-0005", changed);
        rows.remove("node/gpu-node-0006");
        changes.touch();
        page.await(VISIBLE + ".length === " + (NODES - 1));
        page.await("document.body.innerText.includes('cordoned')");
        // Only what changed is touched: the rest are the same elements as before.
        assertThat(page.evaluate("window.first === document.querySelector('#nodes .node')")
                        .asBoolean())
                .isTrue();
        assertThat(page.problems()).isEmpty();
    }

    /** Kept as target/screenshots/console.png. */
    @Test
    void itIsUsableByKeyboardAndByScreenReader() {
        for (int number = 0; number < 12; number++) {
            rows.put("node/gpu-node-%04d".formatted(number), node(number));
        }
        var cluster = rows.computeIfAbsent("cluster", _ -> JsonNodeFactory.instance.objectNode());
        cluster.put("nodes", 12).put("waiting", 2);
        var models = cluster.putObject("models");
        for (var model : List.of("NVIDIA-A100", "NVIDIA-H100", "NVIDIA-T4")) {
            models.putObject(model).put("devices", 32).put("allocated", 0.46).put("fragmented", 0.5);
        }
        page.open("http://127.0.0.1:" + server.port("console") + "/").await(VISIBLE + ".length === 12");

        assertThat(page.text("document.querySelector('.cell').getAttribute('aria-label')"))
                .isEqualTo("0, NVIDIA-A100: free");
        assertThat(page.evaluate(
                                "[...document.querySelectorAll('.cell, nav a, input, select')].every(each => each.tabIndex === 0)")
                        .asBoolean())
                .isTrue();
        page.screenshot(E2eFolder.kept("screenshots/console.png"));
        assertThat(Axe.orSkip().violations(page)).isEmpty();
        page.dark(true);
        page.screenshot(E2eFolder.kept("screenshots/console-dark.png"));
        assertThat(Axe.orSkip().violations(page)).isEmpty();
        assertThat(page.problems()).isEmpty();
    }
}
