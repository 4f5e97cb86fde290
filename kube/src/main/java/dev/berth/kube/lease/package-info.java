/** Leases under compare-and-swap, and leader election by them. */
@NullMarked
package dev.berth.kube.lease;

import org.jspecify.annotations.NullMarked;
