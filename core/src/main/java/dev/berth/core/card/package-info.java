/** One GPU under several names: as each door calls it, and as the ledger that all doors share has it. */
@NullMarked
package dev.berth.core.card;

import org.jspecify.annotations.NullMarked;
