/** Simulated nodes: they run what is bound to them. */
@NullMarked
package dev.berth.apiserver.node;

import org.jspecify.annotations.NullMarked;
