package dev.berth.advisor.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Any bytes sent to score and observe are a question, or get FastAPI's list of what is wrong. */
class BodyFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isAQuestionOrToldWhatIsWrong(byte[] body) throws Exception {
        for (boolean isJson : new boolean[] {true, false}) {
            try {
                assertThat(ScoreRequest.read(body, isJson).candidates()).isNotEmpty();
            } catch (InvalidBodyException invalid) {
                assertThat(JSON.readTree(invalid.body()).path("detail").size()).isPositive();
            } catch (ScoreRequest.BadValueException bad) {
                assertThat(bad.problem()).isNotBlank();
            }
            try {
                ObserveRequest.read(body, isJson);
            } catch (InvalidBodyException invalid) {
                assertThat(JSON.readTree(invalid.body()).path("detail").size()).isPositive();
            }
        }
    }
}
