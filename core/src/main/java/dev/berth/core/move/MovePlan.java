package dev.berth.core.move;

import java.util.List;

/**
 * Moves that make room, to be made in this order: each finds its room when it is its turn.
 *
 * @param spot the room that is there afterwards
 * @param fewest whether it is certain that fewer moves will not do
 */
public record MovePlan(List<Move> moves, Spot spot, boolean fewest) {
    public MovePlan {
        moves = List.copyOf(moves);
    }
}
