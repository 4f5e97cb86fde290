package dev.berth.claims.dra.cel;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.berth.core.Attribute;
import dev.berth.core.Device;
import dev.berth.core.DeviceId;
import dev.berth.core.NodeName;
import java.util.Map;

/** Any text in place of a CEL selector of resource.k8s.io: it is compiled and answers, or is refused with words. */
class SelectorFuzzTest {
    private static final Device DEVICE = new Device(new DeviceId("gpu.example.com/pool/gpu-0"), new NodeName("n1"))
            .withAttributes(Map.of(
                    "gpu.example.com/model", new Attribute.Text("A100"),
                    "gpu.example.com/numa", new Attribute.Whole(1),
                    "gpu.example.com/driverVersion", new Attribute.Version("1.2.3")));

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void answersOrIsRefused(byte[] text) {
        try {
            assertThat(Selector.of(new String(text, UTF_8)).ask(DEVICE)).isNotNull();
        } catch (InvalidSelectorException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
