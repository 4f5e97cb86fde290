package dev.berth.web.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Any bytes in place of an AdmissionReview are understood, or refused with words. {@code bench/fuzz} makes them up. */
class AdmissionReviewFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isUnderstoodOrRefused(byte[] body) throws Exception {
        try {
            var request = AdmissionReviews.decode(body);
            var reply = JSON.readTree(AdmissionReviews.encode(request, AdmissionReply.allow()));

            assertThat(reply.at("/response/uid").asText()).isEqualTo(request.uid());
        } catch (MalformedReviewException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
