/** What is known of the cluster: what is left on every node, kept as pods, nodes and ledgers change. */
@NullMarked
package dev.berth.extender.board;

import org.jspecify.annotations.NullMarked;
