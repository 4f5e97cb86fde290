/** Bytes as they come over a connection, before anybody knows what they say. */
@NullMarked
package dev.berth.kube.wire;

import org.jspecify.annotations.NullMarked;
