package dev.berth.claims.scheduler;

import dev.berth.kube.schedule.PodNews;
import io.fabric8.kubernetes.api.model.Pod;

/** Tells people how an attempt ended. */
final class OutcomeNews {
    private OutcomeNews() {}

    static void tell(PodNews news, Pod pod, Outcome outcome) {
        switch (outcome) {
            case Outcome.Placed placed -> news.placed(pod, placed.node(), placed.devices(), placed.why());
            case Outcome.Refused refused -> news.refused(pod, refused.note());
            case Outcome.LostRace(var why) -> news.lostRace(pod, why);
            case Outcome.Failed(var why) -> news.failed(pod, why);
            case Outcome.NotWanted _ -> news.notWanted(pod);
        }
    }
}
