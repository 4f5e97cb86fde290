/** The webhook: containers see the GPUs that the map gives their replica. */
@NullMarked
package dev.berth.pinner.webhook;

import org.jspecify.annotations.NullMarked;
