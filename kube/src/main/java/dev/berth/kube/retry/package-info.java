/** What went wrong with a request, and when it is tried again. */
@NullMarked
package dev.berth.kube.retry;

import org.jspecify.annotations.NullMarked;
