package dev.berth.advisor.model;

/** A type of job on a type of GPU. */
public record Pair(String jobType, String gpuType) {}
