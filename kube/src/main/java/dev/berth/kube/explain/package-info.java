/** What is told to people of a cluster: who holds which device, where a pod would go, and why it waits. */
@NullMarked
package dev.berth.kube.explain;

import org.jspecify.annotations.NullMarked;
