/** The charts, with the real helm: rendered, refused, and installed on both API servers. */
@NullMarked
package dev.berth.e2e.chart;

import org.jspecify.annotations.NullMarked;
