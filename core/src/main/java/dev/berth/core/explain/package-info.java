/**
 * What is said to people who ask why: answers, and what speaks against each node, in groups and with what would help.
 */
@NullMarked
package dev.berth.core.explain;

import org.jspecify.annotations.NullMarked;
