/** The extender door: tells kube-scheduler or Volcano which node, and which GPUs of it, a fractional GPU pod gets. */
@NullMarked
package dev.berth.extender;

import org.jspecify.annotations.NullMarked;
