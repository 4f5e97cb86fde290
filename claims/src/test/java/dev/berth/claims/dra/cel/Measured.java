package dev.berth.claims.dra.cel;

import dev.berth.claims.dra.pool.Stock;
import dev.berth.core.Device;
import dev.berth.core.Inventory;
import dev.berth.core.NodeName;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What Kubernetes' own evaluator (v1.36.3) was asked, and the device that it was asked about. */
final class Measured {
    private static final Pattern TAB = Pattern.compile("\t");

    static final Device DEVICE = Stock.of(
                    List.of(new KubernetesSerialization().unmarshal("""
                            apiVersion: resource.k8s.io/v1
                            kind: ResourceSlice
                            metadata: {name: s1}
                            spec:
                              driver: dra.example.com
                              pool: {name: n1, generation: 1, resourceSliceCount: 1}
                              nodeName: n1
                              devices:
                              - name: d1
                                attributes:
                                  model: {string: a100-sxm}
                                  index: {int: 4}
                                  healthy: {bool: true}
                                  driver: {version: 1.10.0}
                                  links: {strings: [b, c]}
                                  lanes: {ints: [2, 8]}
                                capacity:
                                  memory: {value: 80Gi}
                            """, ResourceSlice.class)), List.of(), List.of())
            .onto(Inventory.EMPTY, List.of(new NodeName("n1")))
            .devices(new NodeName("n1"))
            .getFirst();

    private Measured() {}

    static Stream<List<String>> rows(String file) {
        try (var table = Objects.requireNonNull(Measured.class.getResourceAsStream(file))) {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().map(line -> List.of(TAB.split(line))).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
