package dev.berth.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** Any file in place of a kubeconfig is used, or refused with its name. */
class KubeconfigFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isUsedOrRefused(byte[] text) throws IOException {
        var file = Files.createTempFile("kube", "config");
        try {
            Files.write(file, text);
            assertThat(Kubeconfig.read(List.of(file), Optional.empty()).getMasterUrl())
                    .isNotBlank();
        } catch (ConnectionException refused) {
            assertThat(refused.getMessage()).contains(file.getFileName().toString());
        } finally {
            Files.delete(file);
        }
    }
}
