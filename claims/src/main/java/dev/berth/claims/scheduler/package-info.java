/** The claims scheduler: takes pods from the API server one by one, places them, and gives back what they held. */
@NullMarked
package dev.berth.claims.scheduler;

import org.jspecify.annotations.NullMarked;
