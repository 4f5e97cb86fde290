/** Slices as the engine has them: pools, their devices, and what these share. */
@NullMarked
package dev.berth.claims.dra.pool;

import org.jspecify.annotations.NullMarked;
