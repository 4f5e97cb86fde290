package dev.berth.claims.demand;

import dev.berth.claims.api.Detail;
import dev.berth.claims.api.DeviceClaim;
import dev.berth.claims.api.DevicePrivilegedClaim;
import dev.berth.claims.demand.Classes.Leaf;
import java.util.List;
import java.util.Optional;

/**
 * One claim of a pod.
 *
 * @param isNew whether it is made for the pod, and not there yet
 * @param privileged the privileged claim that it stands for
 * @param asks what is asked of the engine for it; none where it has its devices already
 */
public record PlannedClaim(
        DeviceClaim claim, boolean isNew, Optional<DevicePrivilegedClaim> privileged, List<PlannedAsk> asks) {
    public PlannedClaim {
        asks = List.copyOf(asks);
    }

    /** The same for the claim as it is on the server now. */
    public PlannedClaim as(DeviceClaim current) {
        return new PlannedClaim(current, false, privileged, asks);
    }

    /** Whether the ask is this claim's. */
    public boolean asks(String ask) {
        return asks.stream().anyMatch(each -> each.name().equals(ask));
    }

    /** An ask, and the details that its choices stand for. */
    record PlannedAsk(String name, List<PlannedChoice> choices) {
        PlannedAsk {
            choices = List.copyOf(choices);
        }

        PlannedChoice choice(String choiceName) {
            return choices.stream()
                    .filter(choice -> choice.name().equals(choiceName))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** One detail, and the classes that may serve it. */
    record PlannedChoice(String name, Detail detail, List<Leaf> leaves) {}
}
