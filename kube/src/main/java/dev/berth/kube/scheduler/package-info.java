/**
 * A small scheduler for pods without devices of their own, where no kube-scheduler runs: it fits, chooses and binds.
 */
@NullMarked
package dev.berth.kube.scheduler;

import org.jspecify.annotations.NullMarked;
