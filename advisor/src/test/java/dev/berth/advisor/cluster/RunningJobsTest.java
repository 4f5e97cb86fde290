package dev.berth.advisor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class RunningJobsTest {
    private final RunningJobs jobs = new RunningJobs();

    @Test
    void eachPodIsOneEntryUntilItEnds() {
        jobs.runs("1", "b");
        jobs.runs("2", "a");
        jobs.runs("3", "b");
        jobs.runs("3", "b");
        assertThat(jobs.list()).containsExactly("a", "b", "b");

        jobs.ended("1");
        jobs.runs("3", "c");
        jobs.ended("unheard of");

        assertThat(jobs.list()).containsExactly("a", "c");
    }

    @Test
    void ofVeryManyASampleKeepsTheShares() {
        for (int i = 0; i < 4000; i++) {
            jobs.runs("p" + i, i % 4 == 0 ? "rare" : "often");
        }

        var list = jobs.list();

        assertThat(list).hasSize(256);
        assertThat(Collections.frequency(list, "rare")).isEqualTo(64);
    }

    @Test
    void aTypeThatNobodyCanLearnAboutIsNone() {
        var pod = new PodBuilder()
                .withNewMetadata()
                .addToAnnotations("app.kubernetes.io/job-type", "x".repeat(257))
                .endMetadata()
                .build();

        assertThat(RunningJobs.typeOf(pod)).isEmpty();
    }
}
