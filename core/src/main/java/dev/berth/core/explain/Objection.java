package dev.berth.core.explain;

import java.util.List;
import java.util.Locale;

/**
 * What speaks against one node for one pod.
 *
 * @param group a few words without names or numbers: nodes with the same ones are told of together
 * @param sentence the same with names and numbers
 * @param missing how many devices would have to become free; 0 where that alone would not help
 * @param remedy what would help there; empty where nothing is known
 * @param looked what became of the node's devices, a line for each thing that the pod asks for; empty where the door
 *     does not tell
 */
public record Objection(Kind kind, String group, String sentence, int missing, String remedy, List<String> looked) {
    /** How far away a place is: the nearest kind first. */
    public enum Kind {
        /** Another node was better, this one would do. */
        ANOTHER,
        /** It has what is asked for, and somebody else holds it. */
        TAKEN,
        /** A quota forbids it. */
        QUOTA,
        /** The node itself will not do, whatever its devices: cordoned, tainted, too little memory. */
        NODE,
        /** It does not have what is asked for. */
        UNSUITED;

        /** The name in reports and metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Objection {
        if (group.isBlank() || sentence.isBlank()) {
            throw new IllegalArgumentException("an objection has words");
        }
        looked = List.copyOf(looked);
    }

    public Objection(Kind kind, String group, String sentence, int missing, String remedy) {
        this(kind, group, sentence, missing, remedy, List.of());
    }

    /** The same with what became of the devices. */
    public Objection having(List<String> looks) {
        return new Objection(kind, group, sentence, missing, remedy, looks);
    }

    public static Objection taken(String group, String sentence, int missing, String remedy) {
        return new Objection(Kind.TAKEN, group, sentence, missing, remedy);
    }

    public static Objection unsuited(String group, String sentence, String remedy) {
        return new Objection(Kind.UNSUITED, group, sentence, 0, remedy);
    }

    public static Objection ofNode(String group, String sentence, String remedy) {
        return new Objection(Kind.NODE, group, sentence, 0, remedy);
    }

    /** The node would do, and another was taken. */
    public static Objection another(String better) {
        return new Objection(
                Kind.ANOTHER, "another node was better", "it fits, and %s is better".formatted(better), 0, "");
    }
}
