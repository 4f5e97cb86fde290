package dev.berth.extender.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.share.ShareDemand;
import dev.berth.core.share.Slice;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that Volcano's own types make ({@code e2e/volcano/record}): what is read out of them is what went in. */
class VolcanoBodiesTest {
    @ParameterizedTest
    @CsvSource({"1.0,V1_7", "1.7,V1_7", "1.8,V1_8", "1.9,V1_8", "v1.9.0,V1_8", "1.10,V1_10", "1.12.1,V1_10"})
    void everyVersionHasItsShape(String version, VolcanoReply shape) {
        assertThat(VolcanoReply.of(version)).isEqualTo(shape);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2", "1", "1.x", "0.4", "1.8-", "1.99999"})
    void aVersionThatHasNoneIsRefused(String version) {
        assertThatThrownBy(() -> VolcanoReply.of(version)).hasMessageContaining("not of '" + version + "'");
    }

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
