/**
 * Installs a Helm chart and runs what its pods would run: processes in place of containers, loopback in place of a
 * network.
 */
@NullMarked
package dev.berth.e2e.chart;

import org.jspecify.annotations.NullMarked;
