/** The page that people look at: the devices, and who holds them. */
@NullMarked
package dev.berth.assigner.page;

import org.jspecify.annotations.NullMarked;
