/** The doors beside a real API server: how many pods they serve, how fast, and with how much of the machine. */
@NullMarked
package dev.berth.bench.door;

import org.jspecify.annotations.NullMarked;
