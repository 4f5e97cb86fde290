/** The map of replicas, read as the annotation has it. */
@NullMarked
package dev.berth.pinner.map;

import org.jspecify.annotations.NullMarked;
