/** The way of a question: who asks, which node, the ledger, the annotations, the answer. */
@NullMarked
package dev.berth.extender.place;

import org.jspecify.annotations.NullMarked;
