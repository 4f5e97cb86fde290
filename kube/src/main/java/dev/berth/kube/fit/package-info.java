/** Can this node take this pod? One pure check a file, each with its reason, as kube-scheduler decides it. */
@NullMarked
package dev.berth.kube.fit;

import org.jspecify.annotations.NullMarked;
