package dev.berth.e2e.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.server.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/** A tab: opens addresses, is asked in JavaScript what it shows, and says what went wrong inside it. */
public final class Page implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final DevTools tools;

    Page(HttpClient http, URI address) {
        tools = DevTools.connect(http, address);
        for (var domain : List.of("Page", "Runtime", "Log", "Network")) call(domain + ".enable");
    }

    public Page open(String url) {
        var answer = tools.call("Page.navigate", JSON.createObjectNode().put("url", url));
        if (answer.has("errorText")) {
            throw new AssertionError(url + ": " + answer.path("errorText").asText());
        }
        return await("document.readyState === 'complete'");
    }

    /** What an expression is, as JSON; promises are waited for. */
    public JsonNode evaluate(String expression) {
        var answer = tools.call(
                "Runtime.evaluate",
                JSON.createObjectNode()
                        .put("expression", expression)
                        .put("returnByValue", true)
                        .put("awaitPromise", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(expression + ": "
                    + answer.at("/exceptionDetails/exception/description").asText());
        }
        return answer.at("/result/value");
    }

    public String text(String expression) {
        return evaluate(expression).asText();
    }

    /** Waits until an expression is true. */
    public Page await(String expression) {
        Await.until(
                PATIENCE,
                () -> evaluate(expression).asBoolean(),
                () -> "never true: " + expression + "\n" + problems() + "\n"
                        + text("document.body.innerText.slice(0, 2000)"));
        return this;
    }

    /** Writes into the input that a selector finds, as a person would: key by key, with the events of that. */
    public Page type(String selector, String text) {
        evaluate("{const field = document.querySelector('%s'); field.focus(); field.select(); undefined}"
                .formatted(selector));
        if (text.isEmpty()) {
            for (var type : List.of("keyDown", "keyUp")) {
                tools.call(
                        "Input.dispatchKeyEvent",
                        JSON.createObjectNode()
                                .put("type", type)
                                .put("key", "Delete")
                                .put("code", "Delete")
                                .put("windowsVirtualKeyCode", 46));
            }
        } else {
            tools.call("Input.insertText", JSON.createObjectNode().put("text", text));
        }
        return this;
    }

    public Page click(String selector) {
        evaluate("document.querySelector('%s').click()".formatted(selector));
        return this;
    }

    public Page size(int width, int height) {
        tools.call(
                "Emulation.setDeviceMetricsOverride",
                JSON.createObjectNode()
                        .put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 2)
                        .put("mobile", width < 600));
        return this;
    }

    /** As if the person liked it dark, or light. */
    public Page dark(boolean dark) {
        ObjectNode media = JSON.createObjectNode();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        tools.call("Emulation.setEmulatedMedia", media);
        return this;
    }

    /** Keeps what is seen. */
    public Path screenshot(Path file) {
        var data = tools.call("Page.captureScreenshot", JSON.createObjectNode().put("format", "png"))
                .path("data")
                .asText();
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            return Files.write(file, Base64.getDecoder().decode(data));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Exceptions, errors on the console, violations of the page's own policy; nothing where all is well. */
    public List<String> problems() {
        return tools.problems();
    }

    /** Every address that the page has loaded something from. */
    public List<String> requests() {
        return tools.requests();
    }

    private void call(String method) {
        tools.call(method, JSON.createObjectNode());
    }

    @Override
    public void close() {
        tools.close();
    }
}
