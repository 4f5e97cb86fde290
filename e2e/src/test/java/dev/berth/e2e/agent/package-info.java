/** The advisor's agent as a process, with the databases that it keeps what it learned in. */
@NullMarked
package dev.berth.e2e.agent;

import org.jspecify.annotations.NullMarked;
