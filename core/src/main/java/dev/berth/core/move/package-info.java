/**
 * Moving pods that have their place: the fewest moves that make room for one that waits, and the moves that lower
 * fragmentation most.
 */
@NullMarked
package dev.berth.core.move;

import org.jspecify.annotations.NullMarked;
