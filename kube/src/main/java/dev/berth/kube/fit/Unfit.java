package dev.berth.kube.fit;

/**
 * Why a node cannot take a pod.
 *
 * @param code the check that said so, for metrics
 * @param sentence kube-scheduler's words where it has some, without names or numbers: nodes are grouped by it
 * @param detail the evidence: names and numbers
 */
public record Unfit(String code, String sentence, String detail) {
    public Unfit {
        if (code.isBlank() || sentence.isBlank()) {
            throw new IllegalArgumentException("a reason has a code and a sentence");
        }
    }

    /** The sentence with its evidence. */
    public String words() {
        return detail.isEmpty() ? sentence : "%s (%s)".formatted(sentence, detail);
    }

    @Override
    public String toString() {
        return words();
    }
}
