/** Makes the container image: a Java runtime with no more than is needed, Debian's libc, and Berth, from scratch. */
@NullMarked
package dev.berth.image;

import org.jspecify.annotations.NullMarked;
