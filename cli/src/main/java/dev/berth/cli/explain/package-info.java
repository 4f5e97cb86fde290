/** The commands that tell people why: {@code berth explain} and {@code berth why-not}. */
@NullMarked
package dev.berth.cli.explain;

import org.jspecify.annotations.NullMarked;
