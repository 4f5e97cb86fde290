package dev.berth.core;

/** What tells one device from all others on its node: a UUID, an index, or driver/pool/name, as its door has it. */
public record DeviceId(String value) implements Comparable<DeviceId> {
    public static final int LONGEST = 400;

    public DeviceId {
        if (value.isBlank() || value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "a device id has 1 to %d characters, not: '%s'".formatted(LONGEST, value));
        }
    }

    /** A GPU that is known by its place on its node alone: the same id for every door. */
    public static DeviceId ofIndex(int index) {
        return new DeviceId(Integer.toString(index));
    }

    @Override
    public int compareTo(DeviceId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
