package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Discovery;
import dev.berth.apiserver.kinds.OpenApi;
import dev.berth.apiserver.status.ApiException;
import io.helidon.http.HeaderNames;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What is served beside the resources: discovery, OpenAPI, health, version. */
final class Plain {
    /** Clients tell the two forms of discovery apart by the reply's type. */
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private static final List<String> PATHS = List.of(
            "/api", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v2", "/openapi/v3", "/readyz", "/version");

    private final Discovery discovery;
    private final OpenApi openApi;
    private final Supplier<Optional<String>> trouble;

    /** @param trouble why nothing can be written */
    Plain(Discovery discovery, OpenApi openApi, Supplier<Optional<String>> trouble) {
        this.discovery = discovery;
        this.openApi = openApi;
        this.trouble = trouble;
    }

    /** Whether someone who is not known may ask: whether the server is alive, and which version it is. */
    static boolean isOpen(String[] parts) {
        return switch (parts[0]) {
            case "healthz", "livez", "readyz", "version" -> true;
            default -> false;
        };
    }

    /** True when the path is of a resource, and not answered here. */
    static boolean isResource(String[] parts) {
        return (parts[0].equals("api") && parts.length > 2) || (parts[0].equals("apis") && parts.length > 3);
    }

    /** True for a group that nobody serves: Kubernetes answers below it as it does on any unknown path. */
    boolean isOfNobody(String group) {
        return !group.isEmpty() && discovery.group(group).isEmpty();
    }

    void serve(Exchange exchange, String[] parts) {
        switch (parts[0]) {
            case "healthz", "livez" -> exchange.reply().text(200, "ok");
            case "readyz" -> ready(exchange);
            case "version" -> exchange.reply().tree(200, version());
            case "openapi" -> openApi(exchange, parts);
            case "api" -> discover(exchange, Optional.of(core(exchange, parts).orElseThrow(ApiException::noResource)));
            case "apis" -> discover(exchange, groups(exchange, parts));
            case "" -> exchange.reply().tree(200, paths());
            default -> nothing(exchange);
        }
    }

    /** A restart would not help a server whose disk is full, so this is no matter of its health. */
    private void ready(Exchange exchange) {
        trouble.get()
                .ifPresentOrElse(
                        why -> exchange.reply().text(500, "[-]data-dir failed: " + why + "\nreadyz check failed\n"),
                        () -> exchange.reply().text(200, "ok"));
    }

    static void nothing(Exchange exchange) {
        exchange.reply().text(404, "404 page not found\n");
    }

    private static void discover(Exchange exchange, Optional<ObjectNode> answer) {
        if (answer.isEmpty()) {
            nothing(exchange);
        } else if (answer.get().path("kind").asText().equals("APIGroupDiscoveryList")) {
            exchange.reply().bytes(200, AGGREGATED, Json.bytes(answer.get()));
        } else {
            exchange.reply().json(200, Json.bytes(answer.get()));
        }
    }

    private Optional<ObjectNode> core(Exchange exchange, String[] parts) {
        return switch (parts.length) {
            case 1 ->
                Optional.of(
                        isAggregated(exchange)
                                ? discovery.aggregated(true)
                                : discovery.coreVersions(exchange.header(HeaderNames.HOST)));
            case 2 -> discovery.resources("", parts[1]);
            default -> Optional.empty();
        };
    }

    private Optional<ObjectNode> groups(Exchange exchange, String[] parts) {
        return switch (parts.length) {
            case 1 -> Optional.of(isAggregated(exchange) ? discovery.aggregated(false) : discovery.groups());
            case 2 -> discovery.group(parts[1]);
            case 3 -> discovery.resources(parts[1], parts[2]);
            default -> Optional.empty();
        };
    }

    private static boolean isAggregated(Exchange exchange) {
        String accept = exchange.accept();
        return accept.contains("as=APIGroupDiscoveryList") && accept.contains("v=v2");
    }

    private void openApi(Exchange exchange, String[] parts) {
        if (parts.length == 2 && parts[1].equals("v3")) {
            exchange.reply().json(200, Json.bytes(openApi.index()));
            return;
        }
        Optional<OpenApi.Document> document = Optional.empty();
        if (parts.length == 2 && parts[1].equals("v2")) document = Optional.of(version2(exchange.accept()));
        if (parts.length > 2 && parts[1].equals("v3")) {
            document =
                    openApi.groupVersion(String.join("/", Arrays.asList(parts).subList(2, parts.length)));
        }
        if (document.isEmpty()) nothing(exchange);
        else exchange.reply().document(document.get(), exchange.header(HeaderNames.IF_NONE_MATCH));
    }

    /** Clients of Kubernetes ask for protobuf, some by the name that had an at-sign; people ask for nothing or JSON. */
    private OpenApi.Document version2(String accept) {
        return accept.replace('@', '.').startsWith(OpenApi.PROTOBUF) ? openApi.version2Protobuf() : openApi.version2();
    }

    private static ObjectNode paths() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        PATHS.forEach(root.putArray("paths")::add);
        return root;
    }

    private static ObjectNode version() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("major", "1")
                .put("minor", "36")
                .put("emulationMajor", "1")
                .put("emulationMinor", "36")
                .put("minCompatibilityMajor", "1")
                .put("minCompatibilityMinor", "35")
                .put("gitVersion", "v1.36.3+berth")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "java/25");
    }
}
