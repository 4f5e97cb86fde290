package dev.berth.apiserver.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.kinds.Discovery;
import java.util.Optional;

/** What is served beside the resources: discovery, health, version. */
final class Plain {
    /** Clients tell the two forms of discovery apart by the reply's type. */
    private static final String AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

    private final Discovery discovery;

    Plain(Discovery discovery) {
        this.discovery = discovery;
    }

    /** True when the request was one of these, and is answered. */
    boolean handles(Exchange exchange) {
        String path = exchange.path();
        String[] parts = Address.split(path);
        Optional<ObjectNode> answer = switch (parts[0]) {
            case "healthz", "livez", "readyz" -> {
                exchange.reply().text(200, "ok");
                yield Optional.empty();
            }
            case "version" -> Optional.of(version());
            case "api" -> core(exchange, parts);
            case "apis" -> groups(exchange, parts);
            default -> {
                exchange.reply().text(404, "404 page not found\n");
                yield Optional.empty();
            }
        };
        answer.ifPresent(tree -> {
            if (tree.path("kind").asText().equals("APIGroupDiscoveryList")) {
                exchange.reply().bytes(200, AGGREGATED, Json.bytes(tree));
            } else {
                exchange.reply().tree(200, tree);
            }
        });
        boolean resource =
                (parts[0].equals("api") && parts.length > 2) || (parts[0].equals("apis") && parts.length > 3);
        if (resource) return false;
        if (answer.isEmpty() && (parts[0].equals("api") || parts[0].equals("apis"))) {
            exchange.reply().text(404, "404 page not found\n");
        }
        return true;
    }

    private Optional<ObjectNode> core(Exchange exchange, String[] parts) {
        return switch (parts.length) {
            case 1 ->
                Optional.of(aggregated(exchange) ? discovery.aggregated(true) : discovery.coreVersions("127.0.0.1"));
            case 2 -> discovery.resources("", parts[1]);
            default -> Optional.empty();
        };
    }

    private Optional<ObjectNode> groups(Exchange exchange, String[] parts) {
        return switch (parts.length) {
            case 1 -> Optional.of(aggregated(exchange) ? discovery.aggregated(false) : discovery.groups());
            case 2 -> discovery.group(parts[1]);
            case 3 -> discovery.resources(parts[1], parts[2]);
            default -> Optional.empty();
        };
    }

    private static boolean aggregated(Exchange exchange) {
        return exchange.accept().contains("as=APIGroupDiscoveryList")
                && exchange.accept().contains("v=v2");
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
                .put("gitVersion", "v1.36.3")
                .put("gitCommit", "")
                .put("gitTreeState", "clean")
                .put("buildDate", "1970-01-01T00:00:00Z")
                .put("goVersion", "none")
                .put("compiler", "javac")
                .put("platform", "java/25");
    }
}
