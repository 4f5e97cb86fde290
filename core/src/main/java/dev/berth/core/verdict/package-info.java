/** What the engine answers, with its reasons. */
@NullMarked
package dev.berth.core.verdict;

import org.jspecify.annotations.NullMarked;
