/** Events that people read with kubectl describe: aggregated, limited, and never in the way. */
@NullMarked
package dev.berth.kube.event;

import org.jspecify.annotations.NullMarked;
