package dev.berth.assigner.label;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** On what the tool prints, with UUIDs made up. */
class NvidiaSmiTest {
    @Test
    void aTableWithAHeaderIsRead() {
        var devices = NvidiaSmi.read("""
                uuid, name, memory.total [MiB]
                GPU-5f1bd0a4-6b5f-7c35-8a05-3c1d7c0e7d11, NVIDIA A100-SXM4-80GB, 81920 MiB
                GPU-0e0b4a2e-11c3-4bd5-95c2-4cb6ab1ca28f, NVIDIA GeForce RTX 4090, 24564 MiB
                """);

        assertThat(devices.labels())
                .isEqualTo(Map.of(
                        "GPU-5f1bd0a4-6b5f-7c35-8a05-3c1d7c0e7d11",
                        Set.of("fudo.org/gpu.a100-sxm4", "fudo.org/gpu.a100", "fudo.org/gpu.vram.80g"),
                        "GPU-0e0b4a2e-11c3-4bd5-95c2-4cb6ab1ca28f",
                        Set.of("fudo.org/gpu.rtx-4090", "fudo.org/gpu.vram.24g")));
    }

    @Test
    void columnsMayComeInAnotherOrder() {
        assertThat(NvidiaSmi.read("index, name, uuid\n0, Tesla V100-PCIE-16GB, GPU-1\n")
                        .labels())
                .isEqualTo(Map.of("GPU-1", Set.of("fudo.org/gpu.v100-pcie", "fudo.org/gpu.v100")));
    }

    @Test
    void withoutAHeaderTheColumnsAreTheOnesOfTheCommand() {
        assertThat(NvidiaSmi.read("GPU-1, Tesla T4, 15360 MiB\n").labels())
                .isEqualTo(Map.of("GPU-1", Set.of("fudo.org/gpu.t4", "fudo.org/gpu.vram.15g")));
    }

    @Test
    void theUuidsComeByIndexWhereEveryLineHasOne() {
        assertThat(NvidiaSmi.read("index, uuid\n1, GPU-a\n0, GPU-b\n").byIndex())
                .containsExactly("GPU-b", "GPU-a");
        assertThat(NvidiaSmi.read("index, uuid\n1, GPU-a\n?, GPU-b\n").byIndex())
                .isEmpty();
        assertThat(NvidiaSmi.read("uuid\nGPU-a\n").byIndex()).isEmpty();
    }

    @Test
    void somethingElseIsRefusedByItsLine() {
        assertThatThrownBy(() -> NvidiaSmi.read("uuid, name\nNo devices were found\n"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("No devices were found");
        assertThatThrownBy(() -> NvidiaSmi.read("")).hasMessageContaining("no GPU");
    }
}
