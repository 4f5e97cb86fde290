package dev.berth.extender.board;

/** The node labels that name the model of its GPUs and the pool it belongs to. */
public record GpuLabels(String model, String pool) {
    public static final GpuLabels STANDARD = new GpuLabels("gaia.tencent.com/gpu-model", "gaia.tencent.com/gpu-pool");

    public GpuLabels {
        if (model.isBlank() || pool.isBlank()) {
            throw new IllegalArgumentException("the labels of GPU model and pool must have names");
        }
    }
}
