/** GPUs that are given out in parts: cores in hundredths, memory in blocks, several holders on one device. */
@NullMarked
package dev.berth.core.share;

import org.jspecify.annotations.NullMarked;
