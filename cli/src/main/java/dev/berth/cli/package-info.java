/** The {@code berth} commands. The only place that wires rooms together. */
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
