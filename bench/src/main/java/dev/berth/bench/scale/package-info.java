/**
 * The doors in clusters of up to thousands of nodes: how long until they are ready, how much memory they hold, how long
 * a decision takes.
 */
@NullMarked
package dev.berth.bench.scale;

import org.jspecify.annotations.NullMarked;
