/** Closes the loop: sees how long advised pods ran, beside whom, and tells the agent. */
@NullMarked
package dev.berth.advisor.observer;

import org.jspecify.annotations.NullMarked;
