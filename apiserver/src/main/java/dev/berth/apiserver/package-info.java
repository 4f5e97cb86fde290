/**
 * A Kubernetes API server in one process, in memory, for trying Berth and for testing it; and the simulated nodes that
 * run what is bound to them.
 */
@NullMarked
package dev.berth.apiserver;

import org.jspecify.annotations.NullMarked;
