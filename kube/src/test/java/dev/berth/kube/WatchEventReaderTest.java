package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class WatchEventReaderTest {
    private final KubernetesSerialization serialization = new KubernetesSerialization(Cluster.mapper(), false);

    @Test
    void aKnownKindIsReadAsItself() {
        var event = read("""
                {"type": "ADDED", "object": {"kind": "Pod", "apiVersion": "v1",
                 "metadata": {"name": "a", "resourceVersion": "7", "managedFields": [{"manager": "kubectl"}],
                  "annotations": {"x": "y"}}, "spec": {"nodeName": "n", "new-field": {"a": [1]}}}}
                """);

        assertThat(event.getType()).isEqualTo("ADDED");
        assertThat(event.getObject()).isInstanceOfSatisfying(Pod.class, pod -> {
            assertThat(pod.getMetadata().getName()).isEqualTo("a");
            assertThat(pod.getMetadata().getResourceVersion()).isEqualTo("7");
            assertThat(pod.getMetadata().getAnnotations()).containsEntry("x", "y");
            assertThat(pod.getMetadata().getManagedFields()).isEmpty();
            assertThat(pod.getSpec().getNodeName()).isEqualTo("n");
            assertThat(pod.getSpec().getAdditionalProperties()).containsKey("new-field");
        });
    }

    @Test
    void theKindMayComeLast() {
        var event = read("""
                {"object": {"metadata": {"name": "a"}, "spec": {}, "apiVersion": "v1", "kind": "Pod"}, "type": "DELETED"}
                """);

        assertThat(event.getType()).isEqualTo("DELETED");
        assertThat(((Pod) event.getObject()).getMetadata().getName()).isEqualTo("a");
    }

    @Test
    void anErrorIsAStatus() {
        var event = read("""
                {"type": "ERROR", "object": {"kind": "Status", "apiVersion": "v1", "metadata": {}, "code": 410,
                 "reason": "Expired", "message": "too old resource version"}}
                """);

        assertThat(((Status) event.getObject()).getCode()).isEqualTo(410);
    }

    @Test
    void anUnknownKindIsKeptWhole() {
        var event = read("""
                {"type": "MODIFIED", "object": {"apiVersion": "example.com/v1", "kind": "Widget",
                 "metadata": {"name": "w"}, "spec": {"size": 3}}}
                """);

        var widget = (GenericKubernetesResource) event.getObject();
        assertThat(widget.getKind()).isEqualTo("Widget");
        assertThat(widget.getMetadata().getName()).isEqualTo("w");
        assertThat(widget.<Object>get("spec", "size")).isEqualTo(3);
    }

    @Test
    void anObjectWithoutAKindIsReadToItsEnd() {
        var event = read("{\"object\": {\"metadata\": {\"name\": \"a\"}}, \"type\": \"BOOKMARK\"}");

        assertThat(event.getType()).isEqualTo("BOOKMARK");
        assertThat(((GenericKubernetesResource) event.getObject()).getMetadata().getName())
                .isEqualTo("a");
    }

    private WatchEvent read(String text) {
        return serialization.unmarshal(text, WatchEvent.class);
    }
}
