/** Stories of {@code berth explain}: what is said on a cluster, before and after a pod is submitted. */
@NullMarked
package dev.berth.e2e.explain;

import org.jspecify.annotations.NullMarked;
