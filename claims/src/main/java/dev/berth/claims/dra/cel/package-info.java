/** The selectors of device classes and requests: CEL with the libraries that Kubernetes adds. */
@NullMarked
package dev.berth.claims.dra.cel;

import org.jspecify.annotations.NullMarked;
