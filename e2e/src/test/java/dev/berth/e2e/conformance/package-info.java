/** What the embedded API server offers, told in stories; what differs from the real server is a bug. */
@NullMarked
package dev.berth.e2e.conformance;

import org.jspecify.annotations.NullMarked;
