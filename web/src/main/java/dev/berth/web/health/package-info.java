/** What operators look at: health, readiness, metrics and the access log. */
@NullMarked
package dev.berth.web.health;

import org.jspecify.annotations.NullMarked;
