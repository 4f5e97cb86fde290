package dev.berth.core.move;

/**
 * One pod goes from one place to another.
 *
 * @param tenant its number in the layout
 */
public record Move(int tenant, Spot from, Spot to) {}
