/** What the assigner reads and writes on the wire: pods, node annotations, patches, and the names in them. */
@NullMarked
package dev.berth.assigner.wire;

import org.jspecify.annotations.NullMarked;
