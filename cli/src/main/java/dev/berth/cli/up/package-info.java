/**
 * What {@code berth up} and {@code berth demo} put together: every door at once, on a cluster of their own or the
 * user's.
 */
@NullMarked
package dev.berth.cli.up;

import org.jspecify.annotations.NullMarked;
