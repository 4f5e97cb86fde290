/** The errors of the Kubernetes API, as Status objects. */
@NullMarked
package dev.berth.apiserver.status;

import org.jspecify.annotations.NullMarked;
