/** The search: finds a placement whenever there is one, the same one every time; {@code DESIGN.md} says how. */
@NullMarked
package dev.berth.core.allocate;

import org.jspecify.annotations.NullMarked;
