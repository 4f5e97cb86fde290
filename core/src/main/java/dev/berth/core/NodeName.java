package dev.berth.core;

/** The name of a node, as Kubernetes spells it. */
public record NodeName(String value) implements Comparable<NodeName> {
    private static final int LONGEST = 253;

    public NodeName {
        if (value.isBlank() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a node name has 1 to %d characters, not: '%s'".formatted(LONGEST, value));
        }
    }

    @Override
    public int compareTo(NodeName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
