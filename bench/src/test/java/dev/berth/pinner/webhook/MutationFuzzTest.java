package dev.berth.pinner.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.berth.web.admission.AdmissionReviews;
import dev.berth.web.admission.MalformedReviewException;

/** Whatever a reviewed pod looks like, it is let through or told why not. */
class MutationFuzzTest {
    private final Mutation lenient = new Mutation(new WebhookSettings("gpu-scheduler", false, true));
    private final Mutation strict = new Mutation(new WebhookSettings("gpu-scheduler", true, false));

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isLetThroughOrToldWhyNot(byte[] review) {
        try {
            var request = AdmissionReviews.decode(review);

            assertThat(lenient.answer(request).allowed()).isTrue();
            var answer = strict.answer(request);
            assertThat(answer.allowed() || answer.status().isPresent()).isTrue();
        } catch (MalformedReviewException refused) {
            assertThat(refused.getMessage()).isNotBlank();
        }
    }
}
