package dev.berth.extender.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.share.ShareDemand;
import dev.berth.core.share.Slice;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that Volcano's own types make ({@code e2e/volcano/record}): what is read out of them is what went in. */
class VolcanoBodiesTest {
    @ParameterizedTest
    @ValueSource(strings = {"v1.7.0", "v1.8.2", "v1.10.0"})
    void aBodyOfVolcanosOwnIsRead(String version) throws IOException {
        try (var body =
                Objects.requireNonNull(getClass().getResourceAsStream("/volcano/" + version + ".json"), version)) {
            var request = VolcanoRequest.read(body.readAllBytes());

            assertThat(request.node()).isEqualTo("node-a");
            assertThat(request.pod().id()).isEqualTo("00000000-0000-4000-8000-000000000001");
            assertThat(request.pod()).hasToString("default/recorded");
            assertThat(request.pod().demand()).isEqualTo(ShareDemand.of(new Slice(50, 8)));
        }
    }
}
