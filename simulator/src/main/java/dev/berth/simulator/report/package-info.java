/** What came of a simulation, written down: for spreadsheets, for programs, and as a page with pictures. */
@NullMarked
package dev.berth.simulator.report;

import org.jspecify.annotations.NullMarked;
