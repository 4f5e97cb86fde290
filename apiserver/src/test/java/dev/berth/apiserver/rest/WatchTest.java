package dev.berth.apiserver.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchTest {
    private final TestServer server = TestServer.shared();
    private String maps = "";

    @BeforeEach
    void ownNamespace() {
        maps = "/api/v1/namespaces/" + server.newNamespace() + "/configmaps";
    }

    private String create(String name, String label) {
        return server.post(maps, "{'metadata':{'name':'" + name + "','labels':{'l':'" + label + "'}}}")
                .text("/metadata/resourceVersion");
    }

    private static List<String> told(List<JsonNode> events) {
        return events.stream()
                .map(event -> event.path("type").asText() + " "
                        + event.at("/object/metadata/name").asText())
                .toList();
    }

    @Test
    void aWatchWithoutAVersionBeginsWithWhatIsThere() {
        create("a", "x");
        assertThat(told(server.watch(maps + "?watch=1&timeoutSeconds=1"))).containsExactly("ADDED a");
    }

    @Test
    void aWatchFromAVersionTellsWhatHappenedSince() {
        String version = create("a", "x");
        create("b", "x");
        server.merge(maps + "/a", "{'data':{'k':'v'}}");
        server.delete(maps + "/b");
        List<JsonNode> events = server.watch(maps + "?watch=1&timeoutSeconds=1&resourceVersion=" + version);
        assertThat(told(events)).containsExactly("ADDED b", "MODIFIED a", "DELETED b");
        assertThat(events.getLast().at("/object/metadata/resourceVersion").asLong())
                .isGreaterThan(
                        events.get(1).at("/object/metadata/resourceVersion").asLong());
    }

    @Test
    void anObjectThatStopsMatchingIsDeletedToTheWatcher() {
        String version = create("a", "x");
        server.merge(maps + "/a", "{'metadata':{'labels':{'l':'y'}}}");
        server.merge(maps + "/a", "{'data':{'k':'v'}}");
        server.merge(maps + "/a", "{'metadata':{'labels':{'l':'x'}}}");
        List<JsonNode> events =
                server.watch(maps + "?watch=1&timeoutSeconds=1&labelSelector=l%3Dx&resourceVersion=" + version);
        assertThat(told(events)).containsExactly("DELETED a", "ADDED a");
        assertThat(events.getFirst().at("/object/metadata/labels/l").asText()).isEqualTo("x");
    }

    @Test
    void aWatchEndsWithABookmark() {
        String version = create("a", "x");
        List<JsonNode> events =
                server.watch(maps + "?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=" + version);
        assertThat(events.getLast().path("type").asText()).isEqualTo("BOOKMARK");
        assertThat(events.getLast().at("/object/metadata/resourceVersion").asLong())
                .isGreaterThanOrEqualTo(Long.parseLong(version));
    }

    @Test
    void initialEventsEndWithAnAnnotatedBookmark() {
        create("a", "x");
        List<JsonNode> events = server.watch(
                maps
                        + "?watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
        assertThat(told(events).getFirst()).isEqualTo("ADDED a");
        assertThat(events.get(1)
                        .at("/object/metadata/annotations/k8s.io~1initial-events-end")
                        .asText())
                .isEqualTo("true");
        assertThat(server.get(maps + "?watch=1&sendInitialEvents=true").code()).isEqualTo(422);
    }

    @Test
    void eventsComeWhileTheWatchIsOpen() throws Exception {
        String version = create("a", "x");
        try (var lines = server.open(maps + "?watch=1&timeoutSeconds=20&resourceVersion=" + version)) {
            Iterator<String> each = lines.iterator();
            create("b", "x");
            assertThat(TestServer.parse(each.next()).at("/object/metadata/name").asText())
                    .isEqualTo("b");
            create("c", "x");
            assertThat(TestServer.parse(each.next()).at("/object/metadata/name").asText())
                    .isEqualTo("c");
        }
    }

    @Test
    void aWatchOfAnotherNamespaceHearsNothing() {
        create("a", "x");
        String other = "/api/v1/namespaces/" + server.newNamespace() + "/configmaps";
        assertThat(server.watch(other + "?watch=1&timeoutSeconds=1")).isEmpty();
    }

    @Test
    void aVersionThatIsNoNumberIsRefused() {
        var refused = server.get(maps + "?watch=1&resourceVersion=abc");
        assertThat(refused.code()).isEqualTo(500);
        assertThat(refused.message()).startsWith("resourceVersion: Invalid value: \"abc\"");
    }
}
