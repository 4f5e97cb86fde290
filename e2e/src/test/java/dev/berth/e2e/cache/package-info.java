/** What caches hear from API servers. */
@NullMarked
package dev.berth.e2e.cache;

import org.jspecify.annotations.NullMarked;
