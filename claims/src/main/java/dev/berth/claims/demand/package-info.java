/**
 * Between the prototype's words and the engine's: pools to inventory, claims to demands and ledger, placements to
 * status.
 */
@NullMarked
package dev.berth.claims.demand;

import org.jspecify.annotations.NullMarked;
