package dev.berth.kube.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonEncodingTest {
    private final JsonEncoding<Pod> pods = new JsonEncoding<>(new ObjectMapper(), Pod.class);

    @Test
    void anObjectIsReadAsItsKind() throws IOException {
        var event = read(pods, """
                {"type": "ADDED", "object": {"kind": "Pod", "apiVersion": "v1",
                 "metadata": {"name": "a", "resourceVersion": "7"}, "spec": {"nodeName": "n", "new-field": {"a": [1]}}}}
                """);

        assertThat(event).get().isInstanceOfSatisfying(Event.There.class, there -> {
            var pod = (Pod) there.object();
            assertThat(pod.getMetadata().getName()).isEqualTo("a");
            assertThat(pod.getMetadata().getResourceVersion()).isEqualTo("7");
            assertThat(pod.getSpec().getNodeName()).isEqualTo("n");
            assertThat(pod.getSpec().getAdditionalProperties()).containsKey("new-field");
        });
    }

    @Test
    void theTypeMayComeLast() throws IOException {
        var event =
                read(pods, "{\"object\": {\"metadata\": {\"name\": \"a\"}}, \"more\": [{}], \"type\": \"DELETED\"}");

        assertThat(event)
                .get()
                .isInstanceOfSatisfying(
                        Event.Gone.class,
                        gone -> assertThat(((Pod) gone.object()).getMetadata().getName())
                                .isEqualTo("a"));
    }

    @Test
    void aBookmarkIsAVersion() throws IOException {
        assertThat(read(pods, "{\"type\": \"BOOKMARK\", \"object\": {\"metadata\": {\"resourceVersion\": \"12\"}}}"))
                .contains(new Event.Bookmark<>("12"));
    }

    @Test
    void anErrorIsAStatus() throws IOException {
        var event = read(pods, """
                {"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "metadata": {}, "code": 410,
                 "reason": "Expired", "message": "too old resource version"}}
                """);

        assertThat(event)
                .get()
                .isInstanceOfSatisfying(
                        Event.Failed.class,
                        failed -> assertThat(failed.status().getCode()).isEqualTo(410));
    }

    @Test
    void anEventOfAnUnknownTypeIsNone() throws IOException {
        assertThat(read(pods, "{\"type\": \"SURPRISE\", \"object\": {}}")).isEmpty();
        assertThat(read(pods, "{\"type\": \"ADDED\"}")).isEmpty();
    }

    @Test
    void aKindWithoutAClassIsKeptWhole() throws IOException {
        var reader = new JsonEncoding<>(new ObjectMapper(), GenericKubernetesResource.class);

        var event = read(reader, """
                {"type": "MODIFIED", "object": {"apiVersion": "example.com/v1", "kind": "Widget",
                 "metadata": {"name": "w"}, "spec": {"size": 3}}}
                """);

        assertThat(event).get().isInstanceOfSatisfying(Event.There.class, there -> {
            var widget = (GenericKubernetesResource) there.object();
            assertThat(widget.getKind()).isEqualTo("Widget");
            assertThat(widget.<Object>get("spec", "size")).isEqualTo(3);
        });
    }

    @Test
    void aPageIsReadToItsEnd() throws IOException {
        var names = new ArrayList<String>();

        var end = page("""
                {"kind": "PodList", "metadata": {"resourceVersion": "31", "continue": "abc", "remainingItemCount": 7},
                 "items": [{"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}]}
                """, names);

        assertThat(names).containsExactly("a", "b");
        assertThat(end).isEqualTo(new PageEnd("31", Optional.of("abc")));
    }

    @Test
    void theLastPageHasNoToken() throws IOException {
        assertThat(page("{\"metadata\": {\"resourceVersion\": \"31\", \"continue\": \"\"}, \"items\": null}", names()))
                .isEqualTo(new PageEnd("31", Optional.empty()));
    }

    @Test
    void aPageThatEndsInTheMiddleIsNone() {
        assertThatThrownBy(() -> page("{\"metadata\": {\"resourceVersion\": \"31\"}, \"items\": [", names()))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> page("{\"metadata\": {\"resourceVersion\": \"31\"}, \"items\": []", names()))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> page("", names())).isInstanceOf(IOException.class);
    }

    private static List<String> names() {
        return new ArrayList<>();
    }

    private PageEnd page(String text, List<String> names) throws IOException {
        return pods.page(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                pod -> names.add(pod.getMetadata().getName()));
    }

    /** From the middle of a buffer, as it is when more than one event came at once. */
    private static <T extends HasMetadata> Optional<Event<T>> read(JsonEncoding<T> reader, String text)
            throws IOException {
        var before = "{}\n".getBytes(StandardCharsets.UTF_8);
        var buffer = ("{}\n" + text + "{}\n").getBytes(StandardCharsets.UTF_8);
        return reader.event(buffer, before.length, buffer.length - 2 * before.length);
    }
}
