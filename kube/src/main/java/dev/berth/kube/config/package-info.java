/** Secrets under compare-and-swap, and CA bundles of webhooks. */
@NullMarked
package dev.berth.kube.config;

import org.jspecify.annotations.NullMarked;
