/** What a replica runs to show where it is and what it sees. */
@NullMarked
package dev.berth.pinner.check;

import org.jspecify.annotations.NullMarked;
