/** HTTP/1.1 to one server: requests on the caller's own thread, over connections that are kept. */
@NullMarked
package dev.berth.kube.http;

import org.jspecify.annotations.NullMarked;
