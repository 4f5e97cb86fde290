/** The two API servers that every end-to-end test runs on: the real control plane, and the embedded one. */
@NullMarked
package dev.berth.e2e.server;

import org.jspecify.annotations.NullMarked;
