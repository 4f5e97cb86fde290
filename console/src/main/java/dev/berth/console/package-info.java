/**
 * The console: a page that shows the cluster's GPUs, who holds them through which door, what waits and why. It reads
 * and never writes.
 */
@NullMarked
package dev.berth.console;

import org.jspecify.annotations.NullMarked;
