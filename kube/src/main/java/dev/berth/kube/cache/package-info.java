/** Local copies of the cluster's objects that say when they are complete. */
@NullMarked
package dev.berth.kube.cache;

import org.jspecify.annotations.NullMarked;
