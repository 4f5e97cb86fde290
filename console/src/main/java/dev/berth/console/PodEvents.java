package dev.berth.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.Cluster;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was said about one pod so far, as the API server has it. */
record PodEvents(Cluster cluster) {
    private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);
    private static final int MOST = 100;

    /** The newest first; nothing where the API server does not tell. */
    ArrayNode of(String namespace, String pod) {
        var list = JsonNodeFactory.instance.arrayNode();
        try {
            cluster.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                    .filter(event -> isAbout(event, pod))
                    .sorted(Comparator.comparing(PodEvents::when).reversed())
                    .limit(MOST)
                    .forEach(event -> list.addObject()
                            .put("at", when(event))
                            .put("type", text(event.getType()))
                            .put("reason", text(event.getReason()))
                            .put("note", text(event.getNote()))
                            .put("by", text(event.getReportingController()))
                            .put("count", count(event)));
        } catch (KubernetesClientException problem) {
            LOG.warn("events could not be read: pod={}/{} reason={}", namespace, pod, problem.getMessage());
        }
        return list;
    }

    private static boolean isAbout(Event event, String pod) {
        var regarding = event.getRegarding();
        return regarding != null && "Pod".equals(regarding.getKind()) && pod.equals(regarding.getName());
    }

    private static String when(Event event) {
        var series = event.getSeries();
        if (series != null && series.getLastObservedTime() != null) {
            return series.getLastObservedTime().getTime();
        }
        return event.getEventTime() != null
                ? event.getEventTime().getTime()
                : text(
                        event.getDeprecatedLastTimestamp() == null
                                ? event.getMetadata().getCreationTimestamp()
                                : event.getDeprecatedLastTimestamp());
    }

    private static int count(Event event) {
        var series = event.getSeries();
        return series == null || series.getCount() == null ? 1 : series.getCount();
    }

    private static String text(@Nullable String value) {
        return Objects.requireNonNullElse(value, "");
    }
}
