/** Each door under a steady load for a long time: is it as quick and as small at the end as at the beginning? */
@NullMarked
package dev.berth.bench.load;

import org.jspecify.annotations.NullMarked;
