/** Made-up capacity: pools of devices as drivers would publish them, for trying things out and for tests. */
@NullMarked
package dev.berth.claims.generate;

import org.jspecify.annotations.NullMarked;
