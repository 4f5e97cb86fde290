package dev.berth.advisor.model;

import java.util.Comparator;

/** A type of job on a type of GPU. */
public record Pair(String jobType, String gpuType) {
    static final Comparator<Pair> BY_NAME = Comparator.comparing(Pair::jobType).thenComparing(Pair::gpuType);
}
