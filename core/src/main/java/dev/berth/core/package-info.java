/**
 * The engine: devices, the inventory, the ledger, demands, placements and policies. Pure Java: no I/O, no Kubernetes
 * types, no clock of its own.
 */
@NullMarked
package dev.berth.core;

import org.jspecify.annotations.NullMarked;
