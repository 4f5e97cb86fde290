/** A scripted day on a simulated cluster: what happens when, and how it is played. */
@NullMarked
package dev.berth.cli.demo;

import org.jspecify.annotations.NullMarked;
