/** What claims ask for, as the engine has it. */
@NullMarked
package dev.berth.claims.dra.demand;

import org.jspecify.annotations.NullMarked;
