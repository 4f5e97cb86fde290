/** The advisor door: learns how long jobs run on which GPU, and advises where the next one should go. */
@NullMarked
package dev.berth.advisor;

import org.jspecify.annotations.NullMarked;
