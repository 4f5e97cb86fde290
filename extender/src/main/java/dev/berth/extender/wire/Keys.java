package dev.berth.extender.wire;

/** The names that users, gpu-manager and this door agree on. */
public final class Keys {
    public static final String CORES = "tencent.com/vcuda-core";
    public static final String MEMORY = "tencent.com/vcuda-memory";
    public static final String NODE = "tencent.com/predicate-node";
    public static final String TIME = "tencent.com/predicate-time";
    public static final String ASSIGNED = "tencent.com/gpu-assigned";
    public static final String INDEX_PREFIX = "tencent.com/predicate-gpu-idx-";
    /** Init containers have numbers of their own, which gpu-manager does not look for. */
    public static final String INIT_INDEX_PREFIX = INDEX_PREFIX + "init-";

    private Keys() {}

    /** Whether a decision writes this annotation. */
    public static boolean ours(String key) {
        return key.equals(NODE) || key.equals(TIME) || key.equals(ASSIGNED) || key.startsWith(INDEX_PREFIX);
    }
}
