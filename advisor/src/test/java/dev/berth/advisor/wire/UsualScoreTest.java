package dev.berth.advisor.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsualScoreTest {
    @Test
    void theDocumentsQuestionIsUsual() {
        var read = UsualScore.read("""
                {"job_type": "train-bert", "features": {"job_type": "train-bert", "gpu_mem_gb": 40, "batch_size": 16,
                 "tenant": "team-a", "more": {"deep": [1]}}, "candidate_gpu_types": ["A100-80GB", "L4-24GB"],
                 "colocated_job_types": ["x"], "unknown": [{}]}""".getBytes(UTF_8));

        assertThat(read).contains(new ScoreRequest("train-bert", List.of("A100-80GB", "L4-24GB"), List.of("x"), 40));
    }

    @Test
    void whatIsUnusualIsLeftToTheSlowWay() {
        for (var unusual : List.of(
                "",
                "[]",
                "{",
                "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\"]} {}",
                "{\"job_type\": \"j\", \"candidate_gpu_types\": []}",
                "{\"candidate_gpu_types\": [\"A\"]}",
                "{\"job_type\": 1, \"candidate_gpu_types\": [\"A\"]}",
                "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\", null]}",
                "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\"], \"features\": null}",
                "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\"], \"features\": {\"gpu_mem_gb\": \"40\"}}",
                "{\"job_type\": \"j\", \"candidate_gpu_types\": [\"A\"], \"features\": {\"batch_size\": null}}")) {
            assertThat(UsualScore.read(unusual.getBytes(UTF_8))).as(unusual).isEmpty();
        }
    }
}
