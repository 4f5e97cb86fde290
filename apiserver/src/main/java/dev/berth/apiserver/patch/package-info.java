/** The four ways to patch an object, and who manages which field. */
@NullMarked
package dev.berth.apiserver.patch;

import org.jspecify.annotations.NullMarked;
