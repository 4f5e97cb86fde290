/** Stories of the claims door: its scheduler as a process, on either server. */
@NullMarked
package dev.berth.e2e.claims;

import org.jspecify.annotations.NullMarked;
