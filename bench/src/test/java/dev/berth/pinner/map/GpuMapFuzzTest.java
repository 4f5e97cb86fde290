package dev.berth.pinner.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Every text is a map, if only one with nothing in it but problems, and each problem has its words. */
class GpuMapFuzzTest {
    @FuzzTest(maxDuration = "10m", maxExecutions = 1_000_000)
    void isAMap(byte[] text) {
        var map = GpuMap.parse(new String(text, UTF_8));

        assertThat(map.problems())
                .allSatisfy(problem -> assertThat(problem.words()).isNotBlank());
        assertThat(map.remarks())
                .allSatisfy(remark -> assertThat(remark.words()).isNotBlank());
    }
}
