package dev.berth.extender.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Any bytes are read, or refused with words. With {@code JAZZER_FUZZ=1} Jazzer makes up bodies for a minute; otherwise
 * the kept ones are read.
 */
class BodiesFuzzTest {
    private final FilterReader reader = new FilterReader("model", "pool");

    @FuzzTest(maxDuration = "1m")
    void everyBodyIsReadOrRefusedWithWords(byte[] body) {
        try {
            var request = reader.read(body);
            assertThat(FilterReply.all(request)).isNotEmpty();
            assertThat(request.pod().needsGpu()).isIn(true, false);
            assertThat(Assignment.given(request.pod())).isNotNull();
            assertThat(Assignment.madeAt(request.pod())).isNotNull();
        } catch (MalformedRequestException refused) {
            assertThat(refused.problem()).isNotBlank();
        }
        try {
            assertThat(VolcanoRequest.read(body).node()).isNotBlank();
        } catch (MalformedRequestException refused) {
            assertThat(refused.problem()).isNotBlank();
        }
    }
}
