/** What claims got, as their status has it, and what their status says that they hold. */
@NullMarked
package dev.berth.claims.dra.status;

import org.jspecify.annotations.NullMarked;
