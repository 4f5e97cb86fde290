package dev.berth.kube.schedule;

import dev.berth.core.NodeName;
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

/** Tells people how an attempt to place a pod ended: an event on the pod, its condition, a line in the log. */
public final class PodNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PodNews.class);
    private static final String FAILED = "FailedScheduling";

    private final PodConditions conditions;
    private final Events events;

    public PodNews(Cluster cluster, Events events, InstantSource clock) {
        this.conditions = new PodConditions(cluster, clock);
        this.events = events;
    }

    /**
     * @param devices what it got there; empty for nothing in particular
     * @param why why there
     */
    public void placed(Pod pod, NodeName node, String devices, String why) {
        var name = name(pod);
        LOG.info("pod placed: pod={} node={} devices=\"{}\" why=\"{}\"", name, node, devices, why);
        events.tell(Happening.about(
                pod,
                Happening.Type.NORMAL,
                "Scheduled",
                "Binding",
                "Successfully assigned %s to %s%s (%s)"
                        .formatted(name, node, devices.isEmpty() ? "" : " with " + devices, why)));
    }

    /** The same words again are no news: neither the condition nor the event is repeated. */
    public void refused(Pod pod, String note) {
        try {
            if (conditions.unschedulable(pod, note)) {
                LOG.info("pod refused: pod={} reason=\"{}\"", name(pod), note);
                events.tell(Happening.about(pod, Happening.Type.WARNING, FAILED, "Scheduling", note));
            }
        } catch (KubernetesClientException problem) {
            LOG.warn("pod could not be told why it waits: pod={} reason={}", name(pod), Failure.words(problem));
        }
    }

    /** Something did not work that may work later. */
    public void failed(Pod pod, String why) {
        LOG.warn("attempt failed: pod={} reason=\"{}\"", name(pod), why);
        events.tell(Happening.about(pod, Happening.Type.WARNING, FAILED, "Scheduling", why));
    }

    public void lostRace(Pod pod, String why) {
        LOG.debug("race lost: pod={} reason=\"{}\"", name(pod), why);
    }

    public void notWanted(Pod pod) {
        LOG.debug("pod wants no node any more: pod={}", name(pod));
    }

    /** Something to look after, about a pod that may be placed all the same. */
    public void warn(Pod pod, String reason, String note) {
        events.tell(Happening.about(pod, Happening.Type.WARNING, reason, "Scheduling", note));
    }

    private static String name(Pod pod) {
        return "%s/%s"
                .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    }

    @Override
    public void close() {
        events.close();
    }
}
