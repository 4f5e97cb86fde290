package dev.berth.claims.generate;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A GPU and how it can be cut.
 *
 * @param memory of the whole GPU, as a quantity
 * @param engines what the partitions share beside memory slices, by name
 * @param profiles none for a GPU that cannot be cut
 */
record GpuModel(
        String product,
        String architecture,
        String computeCapability,
        String driverVersion,
        String cudaVersion,
        String memory,
        int slices,
        SortedMap<String, Integer> engines,
        List<Profile> profiles) {
    private static final List<Integer> ALL_SEVEN = List.of(0, 1, 2, 3, 4, 5, 6);
    private static final String SM = "multiprocessors";
    private static final String CE = "copy-engines";
    private static final String DEC = "decoders";
    private static final String JPEG = "jpeg-engines";
    private static final String OFA = "ofa-engines";

    /** As the prototype's generator had it. */
    static final GpuModel A100 = new GpuModel(
            "Mock NVIDIA A100-SXM4-40GB",
            "Ampere",
            "8.0.0",
            "550.54.15",
            "12.4.0",
            "40Gi",
            8,
            engines(SM, 98, CE, 7, DEC, 5, "encoders", 0, JPEG, 1, OFA, 1),
            List.of(
                    Profile.of("1g.5gb", "4864Mi", 1, ALL_SEVEN, SM, 14, CE, 1),
                    Profile.of("1g.5gb+me", "4864Mi", 1, ALL_SEVEN, SM, 14, CE, 1, DEC, 1, JPEG, 1, OFA, 1),
                    Profile.of("1g.10gb", "9856Mi", 2, List.of(0, 2, 4, 6), SM, 14, CE, 1, DEC, 1),
                    Profile.of("2g.10gb", "9856Mi", 2, List.of(0, 2, 4), SM, 28, CE, 2, DEC, 1),
                    Profile.of("3g.20gb", "19968Mi", 4, List.of(0, 4), SM, 42, CE, 3, DEC, 2),
                    Profile.of("4g.20gb", "19968Mi", 4, List.of(0), SM, 56, CE, 4, DEC, 2),
                    Profile.of("7g.40gb", "40192Mi", 8, List.of(0), SM, 98, CE, 7, DEC, 5, JPEG, 1, OFA, 1)));

    /** As {@code nvidia-smi mig -lgip} lists it. */
    static final GpuModel H100 = new GpuModel(
            "Mock NVIDIA H100 80GB HBM3",
            "Hopper",
            "9.0.0",
            "570.133.20",
            "12.8.0",
            "80Gi",
            8,
            engines(SM, 132, CE, 8, DEC, 7, JPEG, 7, OFA, 1),
            List.of(
                    Profile.of("1g.10gb", "9984Mi", 1, ALL_SEVEN, SM, 16, CE, 1, DEC, 1, JPEG, 1),
                    Profile.of("1g.10gb+me", "9984Mi", 1, ALL_SEVEN, SM, 16, CE, 1, DEC, 1, JPEG, 1, OFA, 1),
                    Profile.of("1g.20gb", "20090Mi", 2, List.of(0, 2, 4, 6), SM, 26, CE, 1, DEC, 1, JPEG, 1),
                    Profile.of("2g.20gb", "20090Mi", 2, List.of(0, 2, 4), SM, 32, CE, 2, DEC, 2, JPEG, 2),
                    Profile.of("3g.40gb", "40448Mi", 4, List.of(0, 4), SM, 60, CE, 3, DEC, 3, JPEG, 3),
                    Profile.of("4g.40gb", "40448Mi", 4, List.of(0), SM, 64, CE, 4, DEC, 4, JPEG, 4),
                    Profile.of("7g.80gb", "81152Mi", 8, List.of(0), SM, 132, CE, 8, DEC, 7, JPEG, 7, OFA, 1)));

    /** As the MIG user guide has it, which gives memory in eighths and multiprocessors in sevenths. */
    static final GpuModel B200 = new GpuModel(
            "Mock NVIDIA B200",
            "Blackwell",
            "10.0.0",
            "580.65.06",
            "13.0.0",
            "180G",
            8,
            engines("compute-slices", 7, CE, 16, OFA, 1),
            List.of(
                    Profile.of("1g.23gb", "22500M", 1, ALL_SEVEN, "compute-slices", 1, CE, 2),
                    Profile.of("1g.23gb+me", "22500M", 1, ALL_SEVEN, "compute-slices", 1, CE, 2, OFA, 1),
                    Profile.of("1g.45gb", "45G", 2, List.of(0, 2, 4, 6), "compute-slices", 1, CE, 2),
                    Profile.of("2g.45gb", "45G", 2, List.of(0, 2, 4), "compute-slices", 2, CE, 3),
                    Profile.of("3g.90gb", "90G", 4, List.of(0, 4), "compute-slices", 3, CE, 6),
                    Profile.of("4g.90gb", "90G", 4, List.of(0), "compute-slices", 4, CE, 8),
                    Profile.of("7g.180gb", "180G", 8, List.of(0), "compute-slices", 7, CE, 16, OFA, 1)));

    /** Too small to be cut; its memory can be shared. */
    static final GpuModel L4 = new GpuModel(
            "Mock NVIDIA L4",
            "Ada Lovelace",
            "8.9.0",
            "570.133.20",
            "12.8.0",
            "23034Mi",
            0,
            new TreeMap<>(),
            List.of());

    /** The same of an older day. */
    static final GpuModel T4 = new GpuModel(
            "Mock Tesla T4", "Turing", "7.5.0", "570.133.20", "12.8.0", "15360Mi", 0, new TreeMap<>(), List.of());

    /** As a machine has it whose GPUs are not to be cut. */
    GpuModel uncut() {
        return new GpuModel(
                product,
                architecture,
                computeCapability,
                driverVersion,
                cudaVersion,
                memory,
                0,
                new TreeMap<>(),
                List.of());
    }

    private static SortedMap<String, Integer> engines(Object... engines) {
        SortedMap<String, Integer> named = new TreeMap<>();
        for (int i = 0; i < engines.length; i += 2) {
            named.put((String) engines[i], (Integer) engines[i + 1]);
        }
        return named;
    }
}
