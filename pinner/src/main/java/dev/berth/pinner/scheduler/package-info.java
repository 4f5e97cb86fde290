/** The scheduler: binds each replica to the node that the map names, once the node can take it. */
@NullMarked
package dev.berth.pinner.scheduler;

import org.jspecify.annotations.NullMarked;
