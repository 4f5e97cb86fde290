/** What was learned, where a restart finds it again. */
@NullMarked
package dev.berth.advisor.store;

import org.jspecify.annotations.NullMarked;
