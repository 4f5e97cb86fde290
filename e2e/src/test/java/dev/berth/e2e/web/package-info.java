/** What strangers can do to the listener of a door that runs as users run it. */
@NullMarked
package dev.berth.e2e.web;

import org.jspecify.annotations.NullMarked;
