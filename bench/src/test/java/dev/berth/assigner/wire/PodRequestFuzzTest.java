package dev.berth.assigner.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.berth.web.admission.AdmissionReviews;
import dev.berth.web.admission.MalformedReviewException;

/** Whatever a reviewed pod looks like, what it asks for can be said. */
class PodRequestFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void asksForSomethingOrNothing(byte[] review) {
        try {
            AdmissionReviews.decode(review).object().ifPresent(pod -> {
                var request = PodRequest.of(pod, "default");
                assertThat(request.devices()).isPositive();
            });
        } catch (MalformedReviewException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
