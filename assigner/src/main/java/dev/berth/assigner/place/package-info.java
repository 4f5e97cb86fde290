/** From a pod's request to GPUs that are reserved for it: the choice, the node ledger, the Leases. */
@NullMarked
package dev.berth.assigner.place;

import org.jspecify.annotations.NullMarked;
