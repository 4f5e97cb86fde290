/**
 * What tells people why: {@code berth explain}, {@code berth why-not} and {@code berth console}, and the console where
 * other commands serve it.
 */
@NullMarked
package dev.berth.cli.explain;

import org.jspecify.annotations.NullMarked;
