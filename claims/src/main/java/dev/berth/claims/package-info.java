/** The claims door: pods with device claims, pools of devices; allocations written to status. */
@NullMarked
package dev.berth.claims;

import org.jspecify.annotations.NullMarked;
