/** What one pod asks for. */
@NullMarked
package dev.berth.core.demand;

import org.jspecify.annotations.NullMarked;
