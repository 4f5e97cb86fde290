package dev.berth.claims.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.berth.claims.manifest.ManifestException;
import dev.berth.claims.manifest.Manifests;
import dev.berth.core.policy.Listed;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** Any text given to {@code berth schedule -f}: its pods are placed or told why not, or it is refused with words. */
class FileScheduleFuzzTest {
    /**
     * What the first schedule takes to load its classes, and Jazzer to work on them, is not the first input's fault.
     */
    @BeforeAll
    static void loadClasses() throws IOException {
        for (var kept : List.of("dra.yaml", "prototype.yaml")) {
            var name = "FileScheduleFuzzTestInputs/isScheduledOrRefused/" + kept;
            try (var in = FileScheduleFuzzTest.class.getResourceAsStream(name)) {
                assertThat(in).as(name).isNotNull();
                new FileScheduleFuzzTest().isScheduledOrRefused(in.readAllBytes());
            }
        }
    }

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
