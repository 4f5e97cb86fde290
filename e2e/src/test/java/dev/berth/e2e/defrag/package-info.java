/** Pods are moved so that another finds room. */
@NullMarked
package dev.berth.e2e.defrag;

import org.jspecify.annotations.NullMarked;
