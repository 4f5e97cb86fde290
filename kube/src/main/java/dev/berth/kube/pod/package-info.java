/** What Berth writes about pods: bindings and conditions. */
@NullMarked
package dev.berth.kube.pod;

import org.jspecify.annotations.NullMarked;
