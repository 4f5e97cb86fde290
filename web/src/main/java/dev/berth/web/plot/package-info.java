/** Pictures of figures, as SVG. */
@NullMarked
package dev.berth.web.plot;

import org.jspecify.annotations.NullMarked;
