/** The assigner door: a mutating webhook that reserves the right GPU for each pod, one Lease a GPU. */
@NullMarked
package dev.berth.assigner;

import org.jspecify.annotations.NullMarked;
