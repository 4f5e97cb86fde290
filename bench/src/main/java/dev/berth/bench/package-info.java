/** Side-by-side benchmarks: Berth's own servers against the originals, in one run with one client. */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
