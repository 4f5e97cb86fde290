/** What the agent's callers write and read, to the digit. */
@NullMarked
package dev.berth.advisor.wire;

import org.jspecify.annotations.NullMarked;
