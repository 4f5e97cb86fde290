package dev.berth.cli.defrag;

/**
 * A move that was made.
 *
 * @param replacement the pod that came in place of the one that was evicted
 * @param node where its scheduler put it
 * @param planned where the plan wanted it
 */
record Made(String pod, String replacement, String node, String planned) {
    boolean asPlanned() {
        return node.equals(planned);
    }
}
