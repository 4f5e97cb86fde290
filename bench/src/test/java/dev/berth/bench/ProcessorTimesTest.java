package dev.berth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorTimesTest {
    @Test
    void whatIsNeitherIdleNorWaitsForADiskIsBusy() {
        var before = ProcessorTimes.read("cpu  100 0 50 800 50 0 0 0 7 7\ncpu0 1 2 3\n");
        var after = ProcessorTimes.read("cpu  160 0 60 820 60 0 0 0 9 9\n");

        assertThat(after.since(before)).isEqualTo(0.7);
    }
}
