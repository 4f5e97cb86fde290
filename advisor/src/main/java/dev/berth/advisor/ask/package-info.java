/** Asking the agent for advice: over HTTP, or in the same process. */
@NullMarked
package dev.berth.advisor.ask;

import org.jspecify.annotations.NullMarked;
