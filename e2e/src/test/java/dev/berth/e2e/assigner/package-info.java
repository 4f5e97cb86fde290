/** The assigner's stories: crowds, faults and deaths, with replicas as processes of their own. */
@NullMarked
package dev.berth.e2e.assigner;

import org.jspecify.annotations.NullMarked;
