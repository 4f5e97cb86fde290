/** Everything goes wrong at once, and nothing is given out twice or lost. */
@NullMarked
package dev.berth.e2e.chaos;

import org.jspecify.annotations.NullMarked;
