package dev.berth.assigner.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Base64;

/** Any annotation of a node is read, or refused with words; what was read is written and read again as the same. */
class DeviceLabelsFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isReadOrRefused(byte[] annotation) throws Exception {
        check(new String(annotation, UTF_8));
        // What gets through base64 is where the reading begins.
        check(Base64.getEncoder().encodeToString(annotation));
    }

    private static void check(String annotation) throws Exception {
        DeviceLabels labels;
        try {
            labels = DeviceLabels.decode(annotation);
        } catch (DeviceLabels.UnreadableException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return;
        }
        assertThat(DeviceLabels.decode(labels.encode())).isEqualTo(labels);
    }
}
