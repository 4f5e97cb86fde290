/** How much of each GPU model a namespace may use. */
@NullMarked
package dev.berth.extender.quota;

import org.jspecify.annotations.NullMarked;
