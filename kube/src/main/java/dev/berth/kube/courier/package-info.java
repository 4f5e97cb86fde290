/** Single requests to the API server by the shortest way, for what a door does once for every pod. */
@NullMarked
package dev.berth.kube.courier;

import org.jspecify.annotations.NullMarked;
