/** CEL over a device's attributes: typed comparisons, compiled once, bounded in what they may cost. */
@NullMarked
package dev.berth.claims.cel;

import org.jspecify.annotations.NullMarked;
