package dev.berth.bench.subject;

import dev.berth.bench.Connection;
import dev.berth.bench.Servers;
import dev.berth.bench.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where doors run: an API server whose cluster has this many nodes.
 *
 * @param shared so many of them, the first ones, are every door's; what follows is left to the pinner, whose pods name
 *     their cards and would wait where another door has taken them
 * @param run what names of this run begin with, so that no other's are met
 * @param doorOptions more options for the JVM of a door
 */
public record Site(
        Target server,
        Path kubeconfig,
        Path launcher,
        Path folder,
        int nodes,
        int shared,
        String run,
        String doorOptions) {
    static final String NAMESPACE = "race";

    /** @param page where it answers {@code /readyz} */
    Target start(String name, URI page, List<String> arguments, Map<String, String> variables) throws IOException {
        var environment = new java.util.HashMap<>(variables);
        environment.put("BERTH_JAVA_OPTS", doorOptions);
        return Servers.door(name, page, launcher, folder, arguments, environment);
    }

    static URI loopback(String scheme, int port) {
        return URI.create("%s://127.0.0.1:%d".formatted(scheme, port));
    }

    static String post(Connection connection, String path, String body) throws IOException {
        return connection.answer(connection.request("POST", path, body.getBytes(StandardCharsets.UTF_8)));
    }

    static void delete(Connection connection, String path) throws IOException {
        connection.answer(connection.request("DELETE", path + "?gracePeriodSeconds=0", new byte[0]));
    }
}
