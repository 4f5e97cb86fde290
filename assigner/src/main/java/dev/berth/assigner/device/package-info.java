/** The GPUs that nodes have, and who holds them, as the assigner knows them. */
@NullMarked
package dev.berth.assigner.device;

import org.jspecify.annotations.NullMarked;
