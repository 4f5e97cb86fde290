package dev.berth.e2e.chart;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.story.Dialogue;
import java.util.Collection;
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

    /** For messages: what is there that was not, and the other way round. */
    static String difference(Collection<String> before, Collection<String> after) {
        return "left behind: %s%nmissing: %s"
                .formatted(
                        after.stream().filter(each -> !before.contains(each)).toList(),
                        before.stream().filter(each -> !after.contains(each)).toList());
    }
}
