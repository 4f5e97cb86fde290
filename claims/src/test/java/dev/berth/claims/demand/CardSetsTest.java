package dev.berth.claims.demand;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.claims.api.DevicePool;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Filter;
import dev.berth.core.demand.NodeFit;
import dev.berth.core.policy.Listed;
import dev.berth.core.verdict.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which sets of ports and virtual functions can be given out at once: every one is asked for. */
class CardSetsTest {
    @Test
    void aCardHasTwentyFourSetsAndTwoCardsHaveSixHundredTwentyFour() throws IOException {
        var pools = pools();

        assertThat(sets(pools.subList(0, 1))).isEqualTo(24);
        assertThat(sets(pools)).isEqualTo(624);
    }

    private static List<DevicePool> pools() throws IOException {
        var file = Path.of("..", "examples", "claims", "pools-nics.yaml");
        return Manifests.read("pools-nics.yaml", Files.readString(file)).stream()
                .map(DevicePool::read)
                .toList();
    }

    private static int sets(List<DevicePool> pools) {
        var node = new NodeName("node-00");
        var inventory = PoolDevices.inventory(pools, List.of(node));
        var devices = inventory.devices(node);
        int possible = 0;
        for (int set = 1; set < 1 << devices.size(); set++) {
            var asks = new ArrayList<Ask>();
            for (int index = 0; index < devices.size(); index++) {
                if ((set & (1 << index)) != 0) {
                    asks.add(Ask.of(
                            "device-" + index, 1, new Only(devices.get(index).id())));
                }
            }
            var demand = new Demand("set", asks, List.of(), NodeFit.ANY);
            var verdict = Allocator.placeOn(node, inventory, Ledger.EMPTY, demand, new Listed(), Deadline.NONE);
            possible += verdict instanceof Placement ? 1 : 0;
        }
        return possible;
    }

    /** One device and no other. */
    private record Only(DeviceId id) implements Filter {
        @Override
        public Optional<String> refuses(Device device) {
            return device.id().equals(id) ? Optional.empty() : Optional.of("is another one");
        }
    }
}
