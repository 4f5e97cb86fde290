package dev.berth.core.verdict;

/** The answer to a demand. */
public sealed interface Verdict permits Placement, Refusal {}
