package dev.berth.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.Inventory;
import dev.berth.core.Ledger;
import dev.berth.core.NodeName;
import dev.berth.core.allocate.Allocator;
import dev.berth.core.allocate.Deadline;
import dev.berth.core.demand.Ask;
import dev.berth.core.demand.Demand;
import dev.berth.core.demand.Filter;
import dev.berth.core.verdict.Placement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FewestFreeTest {
    @Test
    void theNodeWithTheFewestDevicesLeftIsTaken() {
        var inventory = Inventory.EMPTY
                .with(new NodeName("large"), devices("large", 3))
                .with(new NodeName("small"), devices("small", 2));
        var one = Demand.of("p", Ask.of("gpu", 1, Filter.EVERY));

        var verdict = new Allocator().place(inventory, Ledger.EMPTY, one, new FewestFree(), Deadline.NONE);

        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Placement.class,
                        placement -> assertThat(placement.node().value()).isEqualTo("small"));
    }

    @Test
    void contributingShowsItAsItIs() throws IOException {
        var source = Files.readString(Path.of("src/main/java/dev/berth/core/policy/FewestFree.java"));

        assertThat(Files.readString(Path.of("../CONTRIBUTING.md")))
                .contains("```java\n" + source.substring(source.indexOf("/**")) + "```");
    }

    private static List<Device> devices(String node, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> new Device(new DeviceId("gpu-" + index), new NodeName(node)))
                .toList();
    }
}
