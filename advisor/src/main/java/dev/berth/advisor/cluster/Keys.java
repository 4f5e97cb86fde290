package dev.berth.advisor.cluster;

import java.util.List;

/** The annotations and labels that the contract names. */
public final class Keys {
    /** The kind of job: an annotation that asks for advice, and a label by which anti-affinity finds its neighbours. */
    public static final String JOB_TYPE = "app.kubernetes.io/job-type";

    public static final String MEMORY = "gpu.mem.gi";
    public static final String BATCH_SIZE = "ml.batch_size";
    public static final String TENANT = "scheduler.radix.ai/tenant";

    public static final String SCORE = "scheduler.radix.ai/priority-score";
    public static final String CHOSEN_GPU = "scheduler.radix.ai/chosen-gpu";
    public static final String DECIDED_AT = "scheduler.radix.ai/decision-timestamp";

    /** Node labels that name the type of GPU; the first counts where a node has both. */
    public static final String GPU_CLASS = "gpu.nvidia.com/class";

    public static final String GPU_PRODUCT = "nvidia.com/gpu.product";

    public static final List<String> GPU_LABELS = List.of(GPU_CLASS, GPU_PRODUCT);

    /** The job type, and the chosen GPU, of those who do not know. */
    public static final String UNKNOWN = "unknown";

    private Keys() {}
}
