/** What a JVM shows where a Go program has its profiles. */
@NullMarked
package dev.berth.extender.debug;

import org.jspecify.annotations.NullMarked;
