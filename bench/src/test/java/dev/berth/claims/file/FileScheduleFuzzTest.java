package dev.berth.claims.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.policy.Listed;
import java.util.List;

/** Any text given to {@code berth schedule -f}: its pods are placed or told why not, or it is refused with words. */
class FileScheduleFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isScheduledOrRefused(byte[] text) {
        try {
            var result =
                    FileSchedule.run(Manifests.read("fuzz.yaml", new String(text, UTF_8)), List.of(), new Listed());
            assertThat(result.outcomes())
                    .allSatisfy(outcome -> assertThat(outcome.words()).isNotBlank());
        } catch (ManifestException refused) {
            assertThat(refused.getMessage()).contains("fuzz.yaml");
        }
    }
}
