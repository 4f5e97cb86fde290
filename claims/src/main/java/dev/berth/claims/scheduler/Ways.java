package dev.berth.claims.scheduler;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.function.Supplier;

/** Which way a pod goes: by claims of {@code resource.k8s.io}, or by the prototype's, or by none. */
record Ways(PodWay prototype, ResourceWay resources) {
    /** Decides now; what it gives back writes what was decided. */
    Supplier<Outcome> decide(Pod pod) {
        if (!resources.takes(pod)) {
            return byPrototype(pod);
        }
        return switch (resources.decide(pod)) {
            case ResourceWay.Step.Over(var over)
            when over instanceof Outcome.Refused && resources.mayGoByNumber(pod) -> byPrototype(pod);
            case ResourceWay.Step.Over(var over) -> () -> over;
            case ResourceWay.Step.Found(var decided) -> () -> resources.write(decided);
        };
    }

    private Supplier<Outcome> byPrototype(Pod pod) {
        return switch (prototype.decide(pod)) {
            case PodWay.Step.Over(var over) -> () -> over;
            case PodWay.Step.Found(var decided) -> () -> prototype.write(decided);
        };
    }
}
