/** Stories of every door at once: {@code berth up} on a user's cluster. */
@NullMarked
package dev.berth.e2e.up;

import org.jspecify.annotations.NullMarked;
