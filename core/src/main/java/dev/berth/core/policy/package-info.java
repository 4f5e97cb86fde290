/** Which of several good placements is taken. One file a policy. */
@NullMarked
package dev.berth.core.policy;

import org.jspecify.annotations.NullMarked;
