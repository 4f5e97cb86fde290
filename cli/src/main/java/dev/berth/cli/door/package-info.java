/** The doors, opened: each takes its settings and gives something that works and serves until it is closed. */
@NullMarked
package dev.berth.cli.door;

import org.jspecify.annotations.NullMarked;
