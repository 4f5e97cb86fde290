package dev.berth.advisor.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriorityBucketsTest {
    @Test
    void theHighestBucketThatIsReachedCountsInWhateverOrderTheyStand() {
        var buckets = PriorityBuckets.parse(
                "[{\"minScore\": 10, \"priorityClassName\": \"low\"}, {\"minScore\": 80.5, \"priorityClassName\": \"top\"}]");

        assertThat(buckets.of(80.5)).isEqualTo("top");
        assertThat(buckets.of(80.4)).isEqualTo("low");
        assertThat(buckets.of(9)).isEqualTo("gpu-default");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {                                                | not JSON
                    {}                                               | not a list
                    [] and more                                      | not JSON
                    [{"priorityClassName": "a"}]                     | entry 0: minScore is not a number
                    [{"minScore": 1, "priorityClassName": "a"}, {"minScore": 1}] | entry 1: priorityClassName is not a name
                    """)
    void whatIsWrongIsNamed(String json, String problem) {
        assertThatThrownBy(() -> PriorityBuckets.parse(json)).hasMessageContaining(problem);
    }
}
