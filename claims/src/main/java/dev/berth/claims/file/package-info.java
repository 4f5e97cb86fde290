/** Scheduling on files: reads nodes, classes, pools, claims and pods, places the pods, and writes what they got. */
@NullMarked
package dev.berth.claims.file;

import org.jspecify.annotations.NullMarked;
