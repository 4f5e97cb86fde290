/** Our pages in a real browser. */
@NullMarked
package dev.berth.e2e.browser;

import org.jspecify.annotations.NullMarked;
