/**
 * Everything that talks to an API server: connections, client settings, caches, leases, bindings, events, leader
 * election, and the node ledger that keeps two writers from giving one device twice.
 */
@NullMarked
package dev.berth.kube;

import org.jspecify.annotations.NullMarked;
