/** What is known of run times, and the advice that follows from it. */
@NullMarked
package dev.berth.advisor.model;

import org.jspecify.annotations.NullMarked;
