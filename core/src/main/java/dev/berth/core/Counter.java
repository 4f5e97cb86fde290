package dev.berth.core;

/** Something that several devices draw from, such as the memory slices that a card's partitions share. */
public record Counter(String set, String name) {
    @Override
    public String toString() {
        return set + "/" + name;
    }
}
