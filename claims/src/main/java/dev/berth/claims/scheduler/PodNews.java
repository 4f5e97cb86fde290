package dev.berth.claims.scheduler;

import dev.berth.kube.Cluster;
import dev.berth.kube.event.Events;
import dev.berth.kube.event.Happening;
import dev.berth.kube.pod.PodConditions;
import dev.berth.kube.retry.Failure;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people how an attempt ended: an event on the pod, its condition, a line in the log. */
final class PodNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodNews.class);

    private final PodConditions conditions;
    private final Events events;

    PodNews(Cluster cluster, Events events, InstantSource clock) {
        this.conditions = new PodConditions(cluster, clock);
        this.events = events;
    }

    void tell(Pod pod, Outcome outcome) {
        var name = Wire.name(pod);
        switch (outcome) {
            case Outcome.Placed placed -> {
                LOG.info(
                        "pod placed: pod={} node={} devices=\"{}\" why=\"{}\"",
                        name,
                        placed.node(),
                        placed.devices(),
                        placed.why());
                events.tell(Happening.about(
                        pod,
                        Happening.Type.NORMAL,
                        "Scheduled",
                        "Binding",
                        "Successfully assigned %s to %s%s (%s)"
                                .formatted(
                                        name,
                                        placed.node(),
                                        placed.devices().isEmpty() ? "" : " with " + placed.devices(),
                                        placed.why())));
            }
            case Outcome.Refused refused -> refuse(pod, refused.note());
            case Outcome.LostRace(var why) -> LOG.debug("race lost: pod={} reason=\"{}\"", name, why);
            case Outcome.Failed(var why) -> {
                LOG.warn("attempt failed: pod={} reason=\"{}\"", name, why);
                events.tell(Happening.about(pod, Happening.Type.WARNING, "FailedScheduling", "Scheduling", why));
            }
            case Outcome.NotWanted _ -> LOG.debug("pod wants no node any more: pod={}", name);
        }
    }

    /** The same words again are no news: neither the condition nor the event is repeated. */
    private void refuse(Pod pod, String note) {
        try {
            if (conditions.unschedulable(pod, note)) {
                LOG.info("pod refused: pod={} reason=\"{}\"", Wire.name(pod), note);
                events.tell(Happening.about(pod, Happening.Type.WARNING, "FailedScheduling", "Scheduling", note));
            }
        } catch (KubernetesClientException problem) {
            LOG.warn("pod could not be told why it waits: pod={} reason={}", Wire.name(pod), Failure.words(problem));
        }
    }

    @Override
    public void close() {
        events.close();
    }
}
