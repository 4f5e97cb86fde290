/** {@code berth defrag}: which pods would have to move for one that waits, and moving them if that is wanted. */
@NullMarked
package dev.berth.cli.defrag;

import org.jspecify.annotations.NullMarked;
