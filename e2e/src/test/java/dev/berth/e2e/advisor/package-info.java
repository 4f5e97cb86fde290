/** Stories of the advisor: its webhook before an API server, its observer behind one. */
@NullMarked
package dev.berth.e2e.advisor;

import org.jspecify.annotations.NullMarked;
