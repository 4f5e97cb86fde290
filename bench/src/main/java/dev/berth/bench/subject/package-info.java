/**
 * Each door as somebody to ask: started by the launcher, asked for one decision after the other, and given back what it
 * gave.
 */
@NullMarked
package dev.berth.bench.subject;

import org.jspecify.annotations.NullMarked;
