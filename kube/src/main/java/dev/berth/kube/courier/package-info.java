/**
 * Requests to the API server by the shortest way: what a door does once for every pod, and what it listens to all the
 * time.
 */
@NullMarked
package dev.berth.kube.courier;

import org.jspecify.annotations.NullMarked;
