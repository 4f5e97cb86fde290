/** The extender on both API servers: as processes, in crowds, under faults, behind a real kube-scheduler. */
@NullMarked
package dev.berth.e2e.extender;

import org.jspecify.annotations.NullMarked;
