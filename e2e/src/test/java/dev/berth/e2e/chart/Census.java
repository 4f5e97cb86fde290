package dev.berth.e2e.chart;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.story.Dialogue;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Every object that a server has, of every kind: {@code apps/deployments default/web}. Events do not count. */
final class Census {
    private Census() {}

    static Set<String> of(Dialogue server) {
        var found = new TreeSet<String>();
        groups(server)
                .forEach(path -> server.quietly("GET", path, "")
                        .body()
                        .path("resources")
                        .valueStream()
                        .filter(Census::counts)
                        .map(resource -> resource.path("name").asText())
                        .forEach(plural -> server.quietly("GET", path + "/" + plural, "")
                                .body()
                                .path("items")
                                .valueStream()
                                .map(item -> "%s/%s %s/%s"
                                        .formatted(
                                                path.replaceAll("^/api.?/|/?v[0-9a-z]+$", ""),
                                                plural,
                                                item.at("/metadata/namespace").asText(),
                                                item.at("/metadata/name").asText()))
                                .forEach(found::add)));
        return found;
    }

    private static Stream<String> groups(Dialogue server) {
        var others = server.quietly("GET", "/apis", "")
                .body()
                .path("groups")
                .valueStream()
                .map(group ->
                        "/apis/" + group.at("/preferredVersion/groupVersion").asText());
        return Stream.concat(Stream.of("/api/v1"), others);
    }

    private static boolean counts(JsonNode resource) {
        var name = resource.path("name").asText();
        return !name.contains("/")
                && !name.equals("events")
                && !name.equals("componentstatuses")
                && resource.path("verbs")
                        .valueStream()
                        .anyMatch(verb -> verb.asText().equals("list"));
    }

    /** What is there that was not. What is gone may be an earlier story's: namespaces take their time to end. */
    static List<String> since(Collection<String> before, Dialogue server) {
        return of(server).stream().filter(each -> !before.contains(each)).toList();
    }
}
