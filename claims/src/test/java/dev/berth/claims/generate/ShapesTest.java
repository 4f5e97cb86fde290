package dev.berth.claims.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.claims.api.Capacity;
import dev.berth.claims.api.DevicePool;
import dev.berth.claims.manifest.ManifestText;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.Attribute;
import dev.berth.core.Quantity;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShapesTest {
    private static List<String> names() {
        return Shapes.names();
    }

    private static List<DevicePool> pools(String shape, int nodes, OptionalInt gpus) {
        return Shapes.pools(new Shapes.Order(shape, nodes, gpus, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "foozer-1000-tiny, 2, 1", "foozer-4000-tiny, 2, 1", "foozer-1000-small, 4, 1", "foozer-4000-small, 4, 1",
        "foozer-1000-medium, 8, 2", "foozer-4000-medium, 8, 2", "foozer-1000-large, 16, 4", "foozer-4000-large, 16, 4"
    })
    void foozersComeInFourSizes(String shape, int devices, int numaNodes) {
        var pools = pools(shape, 2, OptionalInt.empty());

        assertThat(pools)
                .extracting(DevicePool::name)
                .containsExactly(shape + "-00-pool-foozer", shape + "-01-pool-foozer");
        assertThat(pools.getFirst().devices()).hasSize(devices);
        assertThat(pools.getFirst().devices().stream()
                        .map(device -> device.attributes().get("numa"))
                        .distinct())
                .hasSize(numaNodes);
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyShapeIsReadBackAsItWasAndIsSmallEnoughForKubectl(String shape) {
        var pools = pools(shape, 6, OptionalInt.empty());
        for (var text : ManifestText.values()) {
            var written = new StringWriter();
            text.write(pools.stream().map(DevicePool::json).toList(), new PrintWriter(written));
            var read = Manifests.read("out", written.toString());
            assertThat(read.stream()
                            .map(manifest -> DevicePool.read(manifest).json().toString()))
                    .containsExactlyElementsOf(
                            pools.stream().map(pool -> pool.json().toString()).toList());
        }
        assertThat(pools).extracting(DevicePool::name).doesNotHaveDuplicates();
        // kubectl apply keeps a copy in an annotation, and annotations end at 256 KiB.
        assertThat(pools)
                .allSatisfy(pool -> assertThat(pool.json().toString().getBytes(StandardCharsets.UTF_8).length)
                        .isLessThan(200_000));
    }

    @ParameterizedTest
    @MethodSource("names")
    void theSameOrderGivesTheSamePools(String shape) {
        assertThat(pools(shape, 5, OptionalInt.empty()).toString())
                .isEqualTo(pools(shape, 5, OptionalInt.empty()).toString());
    }

    @Test
    void anotherSeedGivesOtherUuids() {
        var first = Shapes.pools(new Shapes.Order("dgxa100", 2, OptionalInt.of(8), 1));
        var second = Shapes.pools(new Shapes.Order("dgxa100", 2, OptionalInt.of(8), 2));

        assertThat(uuids(first)).hasSize(16).doesNotHaveDuplicates().doesNotContainAnyElementsOf(uuids(second));
    }

    private static List<Attribute> uuids(List<DevicePool> pools) {
        return pools.stream()
                .flatMap(pool -> pool.devices().stream())
                .filter(device -> device.attributes().containsKey("uuid"))
                .map(device -> device.attributes().get("uuid"))
                .toList();
    }

    @Test
    void anUnknownShapeNamesThoseThereAre() {
        assertThatThrownBy(() -> pools("dgx1", 1, OptionalInt.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "no shape is called 'dgx1'; there are: dgxa100, dgxb200, dgxh100, foozer-1000-large");
    }

    /** The number that is known of this GPU, from a list of all its layouts. */
    @Test
    void anA100CanBeCutInAllItsWaysAndNoOthers() {
        var pool = pools("dgxa100", 1, OptionalInt.empty()).getFirst();
        assertThat(pool.devices()).hasSize(26);

        var bySize = new TreeMap<Integer, Integer>();
        count(pool.devices(), 0, free(pool), 0, bySize);

        assertThat(bySize).isEqualTo(Map.of(1, 26, 2, 185, 3, 581, 4, 825, 5, 536, 6, 151, 7, 15));
    }

    @ParameterizedTest
    @CsvSource({"dgxh100, 1g.10gb", "dgxb200, 1g.23gb"})
    void sevenOfTheSmallestPartitionsFitAndNothingBesideTheWhole(String shape, String smallest) {
        var pool = pools(shape, 1, OptionalInt.of(1)).getFirst();
        var bySize = new TreeMap<Integer, Integer>();
        var smallOnes = pool.devices().stream()
                .filter(device ->
                        new Attribute.Text(smallest).equals(device.attributes().get("mig-profile")))
                .toList();
        count(smallOnes, 0, free(pool), 0, bySize);
        assertThat(bySize.lastEntry()).isEqualTo(Map.entry(7, 1));

        var whole = pool.devices().getFirst();
        var left = free(pool);
        take(whole, left);
        assertThat(pool.devices()).noneMatch(device -> fits(device, left));
    }

    private static Map<String, Quantity> free(DevicePool pool) {
        Map<String, Quantity> free = new HashMap<>();
        for (Capacity shared : pool.sharedResources()) {
            free.put(shared.name(), shared.capacity());
        }
        return free;
    }

    /** All sets of devices that can be held together, by how many they are. */
    private static void count(
            List<DevicePool.Device> devices,
            int from,
            Map<String, Quantity> free,
            int size,
            Map<Integer, Integer> bySize) {
        for (int i = from; i < devices.size(); i++) {
            if (fits(devices.get(i), free)) {
                var left = new HashMap<>(free);
                take(devices.get(i), left);
                bySize.merge(size + 1, 1, Integer::sum);
                count(devices, i + 1, left, size + 1, bySize);
            }
        }
    }

    private static boolean fits(DevicePool.Device device, Map<String, Quantity> free) {
        return device.sharedResourcesConsumed().entrySet().stream()
                .allMatch(wanted ->
                        free.getOrDefault(wanted.getKey(), Quantity.ZERO).compareTo(wanted.getValue()) >= 0);
    }

    private static void take(DevicePool.Device device, Map<String, Quantity> free) {
        device.sharedResourcesConsumed()
                .forEach((name, amount) -> free.computeIfPresent(name, (_, left) -> left.minus(amount)));
    }
}
