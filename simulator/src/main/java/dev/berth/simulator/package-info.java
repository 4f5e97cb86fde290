/** Replays a cluster's trace against a policy: what would be handed out, what would be stranded, who would wait. */
@NullMarked
package dev.berth.simulator;

import org.jspecify.annotations.NullMarked;
