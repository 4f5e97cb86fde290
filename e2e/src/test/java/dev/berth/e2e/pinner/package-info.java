/** Stories of the pinner: replicas end where their map says, whatever happens on the way. */
@NullMarked
package dev.berth.e2e.pinner;

import org.jspecify.annotations.NullMarked;
