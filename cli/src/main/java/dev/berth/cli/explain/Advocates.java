package dev.berth.cli.explain;

import dev.berth.assigner.AssignerSettings;
import dev.berth.assigner.place.AssignerAdvocate;
import dev.berth.claims.scheduler.ClaimsAdvocate;
import dev.berth.core.policy.Listed;
import dev.berth.extender.ExtenderSettings;
import dev.berth.extender.place.ExtenderAdvocate;
import dev.berth.kube.explain.Advocate;
import dev.berth.kube.explain.Lookout;
import dev.berth.kube.explain.PlainPods;
import dev.berth.pinner.scheduler.PinnerAdvocate;
import java.util.List;
import java.util.function.Function;

/** One for each door that places pods, as the doors are when no flag says otherwise. */
public final class Advocates {
    private Advocates() {}

    public static List<Function<Lookout, Advocate>> all() {
        return List.of(
                lookout -> new AssignerAdvocate(lookout, AssignerSettings.DEFAULT),
                lookout -> new ExtenderAdvocate(lookout, ExtenderSettings.DEFAULT),
                lookout -> new ClaimsAdvocate(lookout, "berth", new Listed()),
                lookout -> new PinnerAdvocate(lookout, "gpu-scheduler"),
                PlainPods::new);
    }
}
