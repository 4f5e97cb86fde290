/** The door for replicas that a map sends to their nodes: a scheduler that binds, a webhook that shows the GPUs. */
@NullMarked
package dev.berth.pinner;

import org.jspecify.annotations.NullMarked;
