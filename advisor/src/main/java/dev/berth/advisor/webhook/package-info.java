/** The webhook: writes the agent's advice into the pods that ask for it. {@code Mutation} has the way of a request. */
@NullMarked
package dev.berth.advisor.webhook;

import org.jspecify.annotations.NullMarked;
