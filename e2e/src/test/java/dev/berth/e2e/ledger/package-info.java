/** The one ledger: doors as separate processes that want the same card. */
@NullMarked
package dev.berth.e2e.ledger;

import org.jspecify.annotations.NullMarked;
