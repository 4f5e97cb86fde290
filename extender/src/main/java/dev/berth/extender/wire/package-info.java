/** What goes over the wire: the scheduler's questions, the replies, and the annotations on pods. */
@NullMarked
package dev.berth.extender.wire;

import org.jspecify.annotations.NullMarked;
